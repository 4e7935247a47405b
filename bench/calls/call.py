"""What a call from Python costs: a product of 16 rows on existing tensors, queued."""
import timeit

import numpy as np
import sparsechord as sc

pattern = sc.Pattern.chord(16)
w, v, z = (sc.Tensor.copy_of(np.ones((16, columns), np.float32)) for columns in (5, 4, 4))
print(f"{min(timeit.repeat(lambda: sc.product(pattern, w, v, z), number=1000, repeat=200)) * 1e3:.2f}")
