"""Models and data."""
import numpy as np
import pytest
import sparsechord as sc


def small():
    return sc.Model("adding", length=16, seed=3), sc.Dataset("adding", length=16, count=96, seed=3)


def test_training_lowers_the_loss_and_repeats_itself(tmp_path):
    ends = []
    for _ in range(2):
        model, data = small()
        losses = [
            model.train_step(inputs, labels, learning_rate=3e-3).loss
            for epoch in range(6)
            for inputs, labels in data.batches(32, shuffle=True, seed=1, epoch=epoch)
        ]
        ends.append(model.state_dict())
    assert losses[-1] < losses[0] / 2 and model.info.step == 18
    assert all(np.array_equal(ends[0][name], ends[1][name]) for name in ends[0])

    model.save(tmp_path / "m.safetensors", optimizer=True, note="kept")
    again = sc.Model.load(tmp_path / "m.safetensors")
    inputs, labels = data[:8]
    assert again.note == "kept" and again.info.step == 18
    assert np.array_equal(again(inputs), model(inputs))
    assert again.train_step(inputs, labels).loss == model.train_step(inputs, labels).loss


def test_what_is_behind_a_sequences_end_counts_for_nothing():
    inputs, labels = small()[1][:8]
    lengths = np.array([16, 3, 0, 9, 1, 15, 16, 8], np.int32)
    padding = np.arange(16) >= lengths[:, None]
    found = []
    for value in [0, np.nan]:
        model, _ = small()
        inputs[padding] = value
        outputs = model(inputs, lengths=lengths)
        loss = model.evaluate(inputs, labels, lengths=lengths).loss
        assert model.gradients(inputs, labels, lengths=lengths).loss == loss
        din = model.backward(inputs, np.ones_like(outputs), lengths=lengths)
        assert not din[padding].any() and din[~padding].any()
        rows = model.attention(inputs, [0, 9], lengths=lengths)
        assert not rows[1, :, 3:].any() and not rows[1, 1].any() and rows[1, 0, :3].all()
        model.train_step(inputs, labels, lengths=lengths)
        found.append((outputs, din, rows, model.flat_parameters.to_host()))
    assert all(np.array_equal(a, b) for a, b in zip(*found))
    assert not np.array_equal(small()[0](inputs[:1] * 0, lengths=[3]), small()[0](inputs[:1] * 0))
    with pytest.raises(ValueError, match="lengths has 17 at place 1; expected 0 to 16"):
        small()[0](inputs[:2], lengths=[16, 17])


def test_queued_steps_tell_their_losses_later():
    model, data = small()
    twin, _ = small()
    inputs, labels = data[:32]
    told = [twin.train_step(inputs, labels).loss for _ in range(3)]
    for _ in range(3):
        assert model.train_step(inputs, labels, queued=True) is None
    assert model.take_losses() == told


def test_gradients_against_differences():
    model = sc.Model("adding", length=8, precision=64, seed=1)
    inputs, labels = sc.Dataset("adding", length=8, count=4, seed=1)[:4]
    model.gradients(inputs, labels)
    gradient = model.gradient("g.network.0.weight").to_host()
    values = model.parameter("g.network.0.weight")
    start = values.to_host()

    def loss(place, step):
        moved = start.copy()
        moved[place] += step
        values.assign(moved)
        return model.evaluate(inputs, labels).loss

    for place in [(0, 0), (5, 7)]:
        assert abs((loss(place, 1e-5) - loss(place, -1e-5)) / 2e-5 - gradient[place]) < 1e-8


def test_gradients_can_be_shared_and_applied():
    whole, data = small()
    parts, _ = small()
    inputs, labels = data[:32]
    whole.train_step(inputs, labels, micro_batch=16)
    for first in (0, 16):
        here = slice(first, first + 16)
        parts.gradients(inputs[here], labels[here], first_sequence=first, whole_batch=32, dropout=1,
                        accumulate=int(first > 0))
    parts.apply_gradients()
    assert np.array_equal(parts.flat_parameters.to_host(), whole.flat_parameters.to_host())


def test_the_optimisers_state_can_be_moved():
    model, data = small()
    twin, _ = small()
    model.train_step(*data[:32])
    twin.flat_parameters.assign(model.flat_parameters.to_host())
    for mine, theirs in zip(twin.moments, model.moments):
        mine.assign(theirs.to_host())
    twin.set_step(model.info.step)
    assert model.train_step(*data[32:64]).loss == twin.train_step(*data[32:64]).loss
    assert np.array_equal(twin.flat_parameters.to_host(), model.flat_parameters.to_host())


def test_forward_with_dropout():
    model, data = small()
    inputs, _ = data[:8]
    assert "adding" in sc.presets()
    assert sc.preset("adding")["width"] == sc.Model("adding").description["width"]
    some = sc.Model("adding", length=16, seed=3, dropout_values=0.5)
    assert np.array_equal(some(inputs), model(inputs)) and not np.array_equal(some(inputs, dropout=1), model(inputs))


def test_a_loss_of_ones_own():
    model = sc.Model("adding", length=8, precision=64, seed=1)
    inputs = np.random.default_rng(1).random((3, 8, 2))
    dinputs = model.backward(inputs, np.ones((3, 1)))
    moved = inputs.copy()
    moved[1, 4, 0] += 1e-6
    assert abs((model(moved).sum() - model(inputs).sum()) / 1e-6 - dinputs[1, 4, 0]) < 1e-6


def test_state_attention_and_plan():
    model, data = small()
    state = model.state_dict()
    other = sc.Model("adding", length=16, seed=4)
    other.load_state_dict(state)
    inputs, _ = data[:2]
    assert np.array_equal(other(inputs), model(inputs))
    assert model.attention(inputs, [0, 15]).shape == (2, 2, 16)
    assert model.plan(32).peak_bytes > model.plan(32, training=False).peak_bytes
    with pytest.raises(ValueError, match="names differ"):
        model.load_state_dict({})
    with pytest.raises(TypeError, match="learning_rat.*chord_train_options"):
        model.train_step(*data[:2], learning_rat=1)
    with pytest.raises(sc.InvalidArgumentError, match="widht"):
        sc.Model("adding", widht=3)


def test_data_is_read_in_order_and_in_batches():
    data = sc.Dataset("order", length=32, count=10, seed=5)
    inputs, labels = data[:]
    assert len(data) == 10 and inputs.dtype == np.int32 and inputs.shape == (10, 32)
    parts = list(data.batches(4))
    assert [len(x) for x, _ in parts] == [4, 4, 2] and len(data.batches(4)) == 3
    assert np.array_equal(np.concatenate([x for x, _ in parts]), inputs)
    assert np.array_equal(np.concatenate([y for _, y in parts]), labels)


def test_encoder():
    encoder = sc.Encoder("listops", length=16)
    tokens, used = encoder.encode("[MAX 3 7 ]")
    assert tokens.shape == (16,) and 0 < used < 16
    symbols = [encoder.symbol(t) for t in tokens[:used]]
    assert "[MAX" in symbols and symbols.index("3") + 1 == symbols.index("7")
