"""Layers for PyTorch; skipped where there is none."""
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


def test_compiled_without_breaks():
    layer = ChordChain(8, dtype=torch.float64)
    v = torch.randn(8, 2, dtype=torch.float64)
    compiled = torch.compile(layer, backend="aot_eager", fullgraph=True)
    expected = layer(v)
    made = compiled(v)
    made.sum().backward()
    assert torch.equal(made, expected) and layer.weights.grad is not None
    assert chord_offsets(8) == [0, 1, 2, 4]
