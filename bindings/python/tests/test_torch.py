"""Layers for PyTorch; skipped where there is none."""
import json
import struct

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
import sparsechord as sc  # noqa: E402
from sparsechord.torch import ChordChain, PSFAttention, PSFNet, chain, chord_offsets  # noqa: E402


@pytest.mark.parametrize("residual", [False, True])
@pytest.mark.parametrize("own", [False, True])
def test_gradcheck(residual, own):
    torch.manual_seed(0)
    shape = (2, 3, 6, 4) if own else (2, 6, 4)
    weights = torch.randn(shape, dtype=torch.float64, requires_grad=True)
    v = torch.randn(3, 6, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda w, x: chain(w, x, [0, 1, -2, 5], residual), (weights, v))


def test_chain_is_the_dense_product():
    torch.manual_seed(0)
    layer = ChordChain(13, dtype=torch.float64)
    dense = sc.Chain(layer.weights.detach().numpy(), layer.offsets).dense()
    v = torch.randn(2, 13, 3, dtype=torch.float64)
    assert np.allclose(layer(v).detach().numpy(), dense @ v.numpy())


def test_memory_is_shared():
    values = torch.arange(6.0).reshape(2, 3)
    tensor = sc.Tensor.from_dlpack(values)
    values[0, 0] = 9
    assert tensor.to_host()[0, 0] == 9
    assert torch.from_dlpack(tensor).data_ptr() == values.data_ptr()


@pytest.mark.parametrize("keys", [
    dict(description="adding", length=16),
    dict(input="tokens", vocabulary=7, length=12, width=6, channels=6, hidden_f=4, hidden_g=4, classes=3,
         loss="cross_entropy", positions=True, blocks=2, head_hidden=5, pooling="cls", precision=64),
])
def test_models_here_and_there(keys, tmp_path):
    model = sc.Model(seed=1, **keys)
    net = PSFNet(model.description)
    net.load_state_dict({name: torch.from_numpy(value) for name, value in model.state_dict().items()})
    d = model.description
    rng = np.random.default_rng(1)
    inputs = (rng.integers(0, 7, (3, d["length"]), dtype=np.int32) if d["input"] == "tokens"
              else rng.random((3, d["length"], 2), dtype=np.float32))
    assert np.allclose(net(torch.from_numpy(inputs)).detach().numpy(), model(inputs), atol=1e-5)

    with torch.no_grad():
        for parameter in net.parameters():
            parameter.mul_(0.9)
    model.load_state_dict({name: value.numpy() for name, value in net.state_dict().items()})
    assert np.allclose(net(torch.from_numpy(inputs)).detach().numpy(), model(inputs), atol=1e-5)


def read_safetensors(path):
    """What the safetensors package does, which may not be there."""
    content = path.read_bytes()
    (size,) = struct.unpack("<Q", content[:8])
    types = {"F32": np.float32, "F64": np.float64}
    return {
        name: torch.from_numpy(np.frombuffer(content[8 + size:][slice(*about["data_offsets"])], types[about["dtype"]])
                               .reshape(about["shape"]).copy())
        for name, about in json.loads(content[8:8 + size]).items() if name != "__metadata__"
    }


def write_safetensors(path, state):
    header, data = {}, b""
    for name, value in state.items():
        values = value.detach().numpy().tobytes()
        header[name] = {"dtype": "F32", "shape": list(value.shape), "data_offsets": [len(data), len(data) + len(values)]}
        data += values
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def test_files_of_models_that_learned_here_go_on_there_and_back(tmp_path):
    model, data = sc.Model("adding", length=16, seed=1), sc.Dataset("adding", length=16, count=64, seed=1)
    inputs, labels = data[:]
    for _ in range(5):
        model.train_step(inputs, labels)
    model.save(tmp_path / "here.safetensors")

    net = PSFNet(model.description)
    net.load_state_dict(read_safetensors(tmp_path / "here.safetensors"))
    x, y = torch.from_numpy(inputs), torch.from_numpy(labels)
    optimizer = torch.optim.Adam(net.parameters())
    losses = []
    for _ in range(5):
        loss = torch.nn.functional.mse_loss(net(x)[:, 0], y)
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert abs(losses[0] - model.evaluate(inputs, labels).loss) < 1e-5 and losses[-1] < losses[0]
    write_safetensors(tmp_path / "there.safetensors", net.state_dict())

    again = sc.Model.load(tmp_path / "there.safetensors", model.description)
    assert np.allclose(again(inputs), net(x).detach().numpy(), atol=1e-5)


def test_steps_of_both_are_the_same():
    """Autograd through our operator and Adam of PyTorch against a training step of the library's own."""
    model = sc.Model("adding", length=16, seed=2, precision=64)
    inputs, labels = sc.Dataset("adding", length=16, count=32, seed=2)[:]
    net = PSFNet(model.description)
    net.load_state_dict({name: torch.from_numpy(value) for name, value in model.state_dict().items()})
    optimizer = torch.optim.Adam(net.parameters(), 0.003)
    for _ in range(4):
        loss = torch.nn.functional.mse_loss(net(torch.from_numpy(inputs).double())[:, 0], torch.from_numpy(labels).double())
        assert abs(model.train_step(inputs, labels, learning_rate=0.003).loss - loss.item()) < 1e-10
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    for name, value in model.state_dict().items():
        assert np.allclose(value, net.state_dict()[name].numpy(), atol=1e-8), name


def test_attention_learns():
    torch.manual_seed(0)
    net = torch.nn.Sequential(PSFAttention(16, 2, 8, 16, 16), torch.nn.Flatten(), torch.nn.Linear(128, 1))
    optimizer = torch.optim.Adam(net.parameters(), 0.005)
    inputs, labels = (torch.from_numpy(x) for x in sc.Dataset("adding", length=16, count=64, seed=1)[:])
    losses = []
    for _ in range(40):
        loss = torch.nn.functional.mse_loss(net(inputs)[:, 0], labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 5


def test_short_sequences_are_those_of_the_library():
    model = sc.Model("order", length=16, precision=64, blocks=2, seed=2)
    net = PSFNet(model.description)
    net.load_state_dict({name: torch.from_numpy(x) for name, x in model.state_dict().items()})
    tokens = np.random.default_rng(0).integers(0, 6, (5, 16)).astype(np.int32)
    lengths = np.array([16, 9, 0, 1, 13], np.int32)
    tokens[np.arange(16) >= lengths[:, None]] = 99
    outputs = net(torch.from_numpy(tokens).long(), torch.from_numpy(lengths))
    assert np.allclose(outputs.detach().numpy(), model(tokens, lengths=lengths), atol=1e-12)
    outputs.sum().backward()
    model.backward(tokens, np.ones((5, 4)), lengths=lengths)
    for name, parameter in net.named_parameters():
        assert np.allclose(parameter.grad.numpy(), model.gradient(name).to_host(), atol=1e-10), name


@pytest.mark.parametrize("own", [False, True])
def test_operators_keep_pytorchs_rules(own):
    weights = torch.randn((2, 3, 6, 4) if own else (2, 6, 4), dtype=torch.float64, requires_grad=True)
    v = torch.randn(3, 6, 2, dtype=torch.float64, requires_grad=True)
    torch.library.opcheck(torch.ops.sparsechord.chain.default, (weights, v, [0, 1, 2, 4], True))


@pytest.mark.parametrize("make", [lambda: ChordChain(8, residual=True), lambda: PSFAttention(8, 3, 3, 5, 5)])
def test_compiled_without_breaks(make):
    torch.manual_seed(0)
    layer = make()
    v = torch.randn(2, 8, 3, requires_grad=True)

    def gradients(function):
        layer.zero_grad()
        made = function(v)
        made.square().sum().backward()
        return [made.detach(), *(parameter.grad.clone() for parameter in layer.parameters())]

    compiled = torch.compile(layer, backend="aot_eager", fullgraph=True)
    for expected, made in zip(gradients(layer), gradients(compiled)):
        assert torch.allclose(made, expected, atol=1e-6)


def test_offsets():
    assert chord_offsets(8) == [0, 1, 2, 4]
