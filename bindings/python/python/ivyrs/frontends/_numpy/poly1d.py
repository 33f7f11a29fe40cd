"""NumPy's former polynomials: ``poly1d``, the highest power first."""

import numbers


def make(numpy):
    """The class, of a module that has the functions of coefficients."""

    class poly1d:
        """A polynomial of one variable by its coefficients, the highest power first, or by its roots."""

        __hash__ = None

        def __init__(self, c_or_r, r=False, variable=None):
            if isinstance(c_or_r, poly1d):
                coeffs, variable = c_or_r.coeffs, variable or c_or_r.variable
            else:
                coeffs = numpy.atleast_1d(numpy.poly(c_or_r) if r else numpy.asarray(c_or_r))
            if coeffs.ndim > 1:
                raise ValueError("Polynomial must be 1d only.")
            coeffs = numpy.trim_zeros(coeffs, trim="f")
            self.coeffs = coeffs if len(coeffs) else numpy.zeros(1, dtype=coeffs.dtype)
            self.variable = variable or "x"

        @property
        def c(self):
            """The coefficients."""
            return self.coeffs

        coef = coefficients = c

        @property
        def order(self):
            """The degree."""
            return len(self.coeffs) - 1

        o = order

        @property
        def roots(self):
            """Where the polynomial is 0."""
            return numpy.roots(self.coeffs)

        r = roots

        def __array__(self, dtype=None, copy=None):
            return self.coeffs.__array__(dtype)

        def __len__(self):
            return self.order

        def __iter__(self):
            return iter(self.coeffs)

        def __call__(self, val):
            if isinstance(val, poly1d):
                found = poly1d(0)
                for coefficient in self.coeffs:
                    found = found * val + coefficient
                return found
            return numpy.polyval(self.coeffs, val)

        def __getitem__(self, power):
            return self.coeffs[self.order - power] if 0 <= power <= self.order else self.coeffs.dtype.type(0)

        def __setitem__(self, power, value):
            if power < 0:
                raise ValueError("Does not support negative powers.")
            if power > self.order:
                self.coeffs = numpy.concatenate((numpy.zeros(power - self.order, dtype=self.coeffs.dtype), self.coeffs))
            self.coeffs[self.order - power] = value

        def __neg__(self):
            return poly1d(-self.coeffs, variable=self.variable)

        def __pos__(self):
            return self

        def _with(self, function, other, reflected=False):
            other = other.coeffs if isinstance(other, poly1d) else other
            pair = (other, self.coeffs) if reflected else (self.coeffs, other)
            return poly1d(function(*pair), variable=self.variable)

        def __add__(self, other):
            return self._with(numpy.polyadd, other)

        __radd__ = __add__

        def __sub__(self, other):
            return self._with(numpy.polysub, other)

        def __rsub__(self, other):
            return self._with(numpy.polysub, other, reflected=True)

        def __mul__(self, other):
            return self._with(numpy.polymul, other)

        __rmul__ = __mul__

        def __pow__(self, exponent):
            if not isinstance(exponent, numbers.Integral) or exponent < 0:
                raise ValueError("Power to non-negative integers only.")
            found = poly1d([1], variable=self.variable)
            for _ in range(exponent):
                found = found * self
            return found

        def __truediv__(self, other):
            if isinstance(other, numbers.Number):
                return poly1d(self.coeffs / other, variable=self.variable)
            quotient, rest = numpy.polydiv(self.coeffs, poly1d(other).coeffs)
            return poly1d(quotient), poly1d(rest)

        def __rtruediv__(self, other):
            return poly1d(other) / self

        def __eq__(self, other):
            if not isinstance(other, poly1d):
                return NotImplemented
            return self.coeffs.shape == other.coeffs.shape and (self.coeffs == other.coeffs).all()

        def __ne__(self, other):
            return NotImplemented if not isinstance(other, poly1d) else not self == other

        def deriv(self, m=1):
            """The derivative of an order."""
            return poly1d(numpy.polyder(self.coeffs, m), variable=self.variable)

        def integ(self, m=1, k=0):
            """The antiderivative of an order, with its constants of integration."""
            return poly1d(numpy.polyint(self.coeffs, m, k), variable=self.variable)

        def __repr__(self):
            return f"poly1d({repr(self.coeffs)[6:-1]})"

        def __str__(self):
            return _text(self.coeffs.tolist(), self.variable)

    return poly1d


def _number(value):
    text = f"{value:.4g}"
    return text[:-5] if text.endswith(".0000") else text


def _text(coeffs, variable):
    """The terms in a line, with their exponents in the line above; long ones go on in further lines."""
    terms = []
    for power, value in zip(range(len(coeffs) - 1, -1, -1), coeffs, strict=True):
        if isinstance(value, complex):
            own = _number(value.real) if value.imag == 0 else f"({_number(value.real)} + {_number(value.imag)}j)"
            own = f"{_number(value.imag)}j" if value.real == 0 != value.imag else own
        else:
            own = _number(value)
        if own == "0" and (power or len(coeffs) > 1):
            continue
        own = own if power == 0 else f"{own} {variable}"
        terms.append((own, power))
    text = ""
    for own, power in terms:
        own += f"**{power}" if power > 1 else ""
        if text:
            text += f" - {own[1:]}" if own.startswith("-") else f" + {own}"
        else:
            text = own
    return _raised(text or "0")


def _raised(text, width=70):
    """A line whose `**n` stand above it."""
    above, below, lines, place = " ", "", "", 0
    while (at := text.find("**", place)) >= 0:
        end = at + 2
        while end < len(text) and text[end].isdigit():
            end += 1
        part, power = text[place:at], text[at + 2 : end]
        upper, lower = " " * (len(part) - 1) + power, part + " " * (len(power) - 1)
        if len(above) + len(upper) > width or len(below) + len(lower) > width:
            lines += above + "\n" + below + "\n"
            above, below = " ", ""
        above, below, place = above + upper, below + lower, end
    return lines + above + "\n" + below + text[place:]
