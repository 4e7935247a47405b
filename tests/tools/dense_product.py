"""The product of a block's factors as a dense matrix, made from a model's file in plain Python."""
import array, ast, json, math, struct


def npy(path, kind):
    """Shape and values of an npy file; kind: f or i."""
    data = open(path, "rb").read()
    end = 10 + data[8] + 256 * data[9]
    return ast.literal_eval(data[10:end].decode())["shape"], array.array(kind, data[end:])


def tensors(path):
    """The tensors of a safetensors file, float32, as lists or lists of rows."""
    data = open(path, "rb").read()
    size, = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + size])
    header.pop("__metadata__", None)

    def values(about):
        begin, end = (8 + size + offset for offset in about["data_offsets"])
        flat = list(struct.unpack("<%df" % ((end - begin) // 4), data[begin:end]))
        columns = about["shape"][-1]
        return flat if len(about["shape"]) == 1 else [flat[i:i + columns] for i in range(0, len(flat), columns)]

    return {name: values(about) for name, about in header.items()}


def linear(x, weight, bias):
    return [sum(a * b for a, b in zip(x, row)) + c for row, c in zip(weight, bias)]


def network(x, parameters, name):
    hidden = linear(x, parameters[name + ".network.0.weight"], parameters[name + ".network.0.bias"])
    hidden = [h / 2 * (1 + math.erf(h / math.sqrt(2))) for h in hidden]
    return linear(hidden, parameters[name + ".network.2.weight"], parameters[name + ".network.2.bias"])


def product(a, b):
    n = len(a)
    return [[sum(a[i][k] * b[k][j] for k in range(n) if a[i][k]) for j in range(n)] for i in range(n)]


def dense_product(embedded, parameters):
    """W_M … W_1 of the first block, for its input, a row per position."""
    n, whole, m = len(embedded), None, 0
    while "fs.%d.network.0.weight" % m in parameters:
        factor = [[0.0] * n for _ in range(n)]
        for i, x in enumerate(embedded):
            for k, w in enumerate(network(x, parameters, "fs.%d" % m)):
                factor[i][(i + (0 if k == 0 else 2 ** (k - 1))) % n] += w
        whole = factor if whole is None else product(factor, whole)
        m += 1
    return whole
