#!/usr/bin/env python3
"""Makes the constants of src/kernels/gelu.hpp and gelu_table.hpp and proves how good they are. Needs mpmath.

    gelu_constants.py                           prints them as C++
    gelu_constants.py src/kernels/gelu.hpp      compares: fails where a header differs, or an error is too large

All interpolate at Chebyshev points, with 60 digits:
  exp(r) = 1 + r + r²·Q(r) for |r| ≤ ½ ln 2, a ten-thousandth wider because k·ln 2 is subtracted in rounded numbers;
  Φ(−x) = exp(−x²/2)·N(x)/D(x) for 0 ≤ x ≤ 5.5 (double: 38), at Chebyshev points of 1 / (1 + p·x). Beyond 5.5, where GELU
  is below 10⁻⁷, the relative error of float grows to 4·10⁻⁵ (at 13, where exp(−x²/2) underflows);
  Φ(−x) for an eighth to both sides of every quarter, by itself.
The errors shown are those of the functions with rounded coefficients, in units of the type's epsilon, evaluated
exactly; what the arithmetic of the kernels adds is measured by tests/inner/gelu_test.cpp.
"""
import os
import re
import struct
import sys

try:
    from mpmath import cos, erfc, exp, ln, lu_solve, matrix, mp, mpf, nint, nstr, pi, polyval, sqrt
except ImportError:
    print("no mpmath here")
    sys.exit(77)

mp.dps = 60
HALF_LN2 = ln(2) / 2 * mpf("1.0001")


class Type:
    def __init__(self, name, letter, mantissa, digits, ln2_bits, exp_terms, p, farthest, tail_degree):
        self.name, self.letter, self.digits = name, letter, digits
        self.suffix = "f" if letter == "f" else ""
        self.epsilon = mpf(2) ** -mantissa
        # So few bits that its product with an exponent is exact.
        self.ln2_high = nint(ln(2) * 2**ln2_bits) / 2**ln2_bits
        self.farthest = mpf(farthest)
        self.exp = interpolate(exp_rest, chebyshev(-HALF_LN2, HALF_LN2, exp_terms))
        points = chebyshev(1 / (1 + mpf(p) * self.farthest), mpf(1), 2 * tail_degree + 2)
        self.numerator, self.denominator = interpolate_ratio(scaled_tail, [(1 / t - 1) / mpf(p) for t in points],
                                                             tail_degree)

    def rounded(self, value):
        return mpf(struct.unpack(self.letter, struct.pack(self.letter, float(value)))[0])

    def value(self, coefficients, x):
        return polyval([self.rounded(each) for each in reversed(coefficients)], x)

    def exp_error(self):
        def relative(r):
            return (1 + r + r * r * self.value(self.exp, r)) / exp(r) - 1

        return worst(relative, -HALF_LN2, HALF_LN2) / self.epsilon

    def tail_error(self):
        def relative(x):
            return self.value(self.numerator, x) / self.value(self.denominator, x) / scaled_tail(x) - 1

        return worst(relative, mpf(0), self.farthest) / self.epsilon

    def constants(self):
        return {"ln2_high": [self.ln2_high], "ln2_low": [ln(2) - self.ln2_high], "exp": self.exp,
                "numerator": self.numerator, "denominator": self.denominator}


class Table:
    quarters, powers = 32, 6

    def __init__(self, as_float):
        self.as_float = as_float
        self.by_quarter = [self.polynomial(quarter) for quarter in range(self.quarters - 1)] + [[mpf(0)] * self.powers]

    def polynomial(self, quarter):
        first, last = (-mpf(1) / 8 if quarter else mpf(0)), mpf(1) / 8
        return interpolate(lambda t: tail(mpf(quarter) / 4 + t), chebyshev(first, last, self.powers))

    def coefficients(self):
        return [each[power] for power in range(self.powers) for each in self.by_quarter]

    def error(self):
        """Relative, up to 4, where what is tested ends."""

        def relative(x):
            quarter = int(nint(x * 4))
            return self.as_float.value(self.by_quarter[quarter], x - mpf(quarter) / 4) / tail(x) - 1

        return worst(relative, mpf(0), mpf(4)) / self.as_float.epsilon

    def in_header(self, text):
        values = re.search(r"coefficients\[powers\]\[quarters\] = \{(.*?)\};", text, re.S).group(1)
        return [mpf(each) for each in re.findall(r"[-+]?\d[\d.]*(?:e[-+]?\d+)?", values)]


def exp_rest(r):
    return (exp(r) - 1 - r) / (r * r) if abs(r) > mpf(10) ** -20 else mpf(1) / 2 + r / 6


def tail(x):
    return erfc(x / sqrt(2)) / 2


def scaled_tail(x):
    return exp(x * x / 2) * tail(x)


def chebyshev(first, last, count):
    return [(first + last) / 2 + (last - first) / 2 * cos(pi * (2 * k + 1) / (2 * count)) for k in range(count)]


def interpolate(function, points):
    """The coefficients, lowest first, of the polynomial that meets the function at the points."""
    powers = matrix([[point**i for i in range(len(points))] for point in points])
    return list(lu_solve(powers, matrix([function(point) for point in points])))


def interpolate_ratio(function, points, degree):
    """Those of N, of this degree, and D, of the next, where N = function · D at the points, and D begins with 1."""
    rows = [[x**i for i in range(degree + 1)] + [-function(x) * x**i for i in range(1, degree + 2)] for x in points]
    solved = list(lu_solve(matrix(rows), matrix([function(x) for x in points])))
    return solved[: degree + 1], [mpf(1)] + solved[degree + 1 :]


def worst(error, first, last, steps=2000):
    return max(abs(error(first + (last - first) * i / steps)) for i in range(steps + 1))


def in_header(text, type_name, name):
    struct_text = re.search(r"struct gelu_constants<%s> \{(.*?)\n\};" % type_name, text, re.S).group(1)
    values = re.search(r"\b%s(?:\[\])? = (\{[^}]*\}|[^,;]*)" % name, struct_text).group(1)
    return [mpf(each) for each in re.findall(r"[-+]?\d[\d.]*(?:e[-+]?\d+)?", values)]


TYPES = [Type("float", "f", 23, 9, 9, 5, "0.3", "5.5", 3), Type("double", "d", 52, 18, 16, 12, "0.25", 38, 9)]
BOUNDS = 0.1, 1  # units of epsilon that the polynomials of exp and of the tail may add to the rounding of the kernels
TABLE_BOUND = 3

good = True
for each in TYPES:
    errors = each.exp_error(), each.tail_error()
    print(f"// {each.name}: largest relative error of exp {nstr(errors[0], 3)} epsilon, of the tail {nstr(errors[1], 3)}")
    good &= all(error < bound for error, bound in zip(errors, BOUNDS))
    for name, values in each.constants().items():
        if len(sys.argv) < 2:
            numbers = ", ".join(nstr(value, each.digits) + each.suffix for value in values)
            print(f"{each.name} {name}[] = {{{numbers}}};" if len(values) > 1 else f"{each.name} {name} = {numbers};")
        elif [each.rounded(value) for value in in_header(open(sys.argv[1]).read(), each.name, name)] != [
            each.rounded(value) for value in values
        ]:
            print(f"{sys.argv[1]}: {name} of {each.name} differs")
            good = False
table = Table(TYPES[0])
print(f"// table: largest relative error of the tail {nstr(table.error(), 3)} epsilon")
good &= table.error() < TABLE_BOUND
if len(sys.argv) < 2:
    for power in range(table.powers):
        print("{" + ", ".join(nstr(TYPES[0].rounded(each[power]), 9) + "f" for each in table.by_quarter) + "},")
else:
    header = os.path.join(os.path.dirname(sys.argv[1]), "gelu_table.hpp")
    rounded = TYPES[0].rounded
    if list(map(rounded, table.in_header(open(header).read()))) != list(map(rounded, table.coefficients())):
        print(f"{header}: coefficients differ")
        good = False
sys.exit(not good)
