dtype = Dtype

class ufunc:
    __name__: str
    def reduce(
        self,
        array: _Like,
        axis: _AxisLike | None = 0,
        dtype: _DtypeLike | None = None,
        out: _Array | None = None,
        keepdims: bool = False,
        initial: _Like | None = None,
        where: _Like = True,
    ) -> _Array: ...
    def accumulate(
        self, array: _Like, axis: int = 0, dtype: _DtypeLike | None = None, out: _Array | None = None
    ) -> _Array: ...
    def reduceat(
        self, array: _Like, indices: _Like, axis: int = 0, dtype: _DtypeLike | None = None, out: _Array | None = None
    ) -> _Array: ...
    def outer(self, A: _Like, B: _Like, /, **kwargs: Any) -> _Array: ...
    def at(self, a: _Array, indices: Any, b: _Like | None = None, /) -> None: ...

class _ufunc_unary(ufunc):
    def __call__(
        self,
        x: _Like,
        /,
        out: _Array | tuple[_Array | None] | None = None,
        *,
        where: _Like = True,
        casting: str = "same_kind",
        order: str = "K",
        dtype: _DtypeLike | None = None,
        subok: bool = True,
    ) -> _Array: ...

class _ufunc_binary(ufunc):
    def __call__(
        self,
        x1: _Like,
        x2: _Like,
        /,
        out: _Array | tuple[_Array | None] | None = None,
        *,
        where: _Like = True,
        casting: str = "same_kind",
        order: str = "K",
        dtype: _DtypeLike | None = None,
        subok: bool = True,
    ) -> _Array: ...

class _ufunc_two_results(ufunc):
    def __call__(
        self,
        x: _Like,
        x2: _Like = ...,
        /,
        *,
        out: tuple[_Array | None, _Array | None] | None = None,
        where: _Like = True,
        casting: str = "same_kind",
        order: str = "K",
        dtype: _DtypeLike | None = None,
        subok: bool = True,
    ) -> tuple[_Array, _Array]: ...

class generic: ...
class number(generic): ...
class integer(number): ...
class signedinteger(integer): ...
class unsignedinteger(integer): ...
class inexact(number): ...
class floating(inexact): ...
class complexfloating(inexact): ...

class finfo:
    dtype: Dtype
    bits: int
    eps: ndarray
    epsneg: ndarray
    max: ndarray
    min: ndarray
    smallest_normal: ndarray
    smallest_subnormal: ndarray
    tiny: ndarray
    resolution: ndarray
    iexp: int
    machep: int
    maxexp: int
    minexp: int
    negep: int
    nexp: int
    nmant: int
    precision: int
    def __init__(self, type: _DtypeLike | _Like) -> None: ...

class iinfo:
    dtype: Dtype
    bits: int
    max: int
    min: int
    def __init__(self, type: _DtypeLike | _Like) -> None: ...

class vectorize:
    pyfunc: Callable[..., Any]
    signature: str | None
    def __init__(
        self,
        pyfunc: Callable[..., Any] | None = None,
        otypes: str | Sequence[_DtypeLike] | None = None,
        doc: str | None = None,
        excluded: Iterable[int | str] | None = None,
        cache: bool = False,
        signature: str | None = None,
    ) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class errstate:
    def __init__(self, *, call: Any = None, **kwargs: str) -> None: ...
    def __enter__(self) -> errstate: ...
    def __exit__(self, *error: object) -> None: ...
    def __call__(self, func: Callable[..., Any], /) -> Callable[..., Any]: ...

class _Printoptions:
    def __enter__(self) -> dict[str, Any]: ...
    def __exit__(self, *error: object) -> None: ...

def printoptions(
    precision: int | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    suppress: bool | None = None,
    nanstr: str | None = None,
    infstr: str | None = None,
    formatter: dict[str, Callable[[Any], str]] | None = None,
    sign: Literal["-", "+", " "] | None = None,
    floatmode: Literal["fixed", "unique", "maxprec", "maxprec_equal"] | None = None,
    *,
    legacy: Literal[False] | None = None,
    override_repr: Callable[[ndarray], str] | None = None,
) -> _Printoptions: ...
class _MGrid:
    def __getitem__(self, key: Any, /) -> ndarray: ...

class _OGrid:
    @overload
    def __getitem__(self, key: slice, /) -> ndarray: ...
    @overload
    def __getitem__(self, key: tuple[slice, ...], /) -> tuple[ndarray, ...]: ...

class _Joined:
    def __getitem__(self, key: Any, /) -> ndarray: ...

class _Expression:
    def __getitem__(self, key: Any, /) -> Any: ...

mgrid: _MGrid
ogrid: _OGrid
r_: _Joined
c_: _Joined
s_: _Expression
index_exp: _Expression

class ndindex:
    @overload
    def __init__(self, *shape: int) -> None: ...
    @overload
    def __init__(self, shape: Sequence[int], /) -> None: ...
    def __iter__(self) -> ndindex: ...
    def __next__(self) -> tuple[int, ...]: ...

class ndenumerate:
    def __init__(self, arr: _Like) -> None: ...
    def __iter__(self) -> ndenumerate: ...
    def __next__(self) -> tuple[tuple[int, ...], ndarray]: ...

class _Flags:
    c_contiguous: bool
    f_contiguous: bool
    contiguous: bool
    owndata: bool
    writeable: bool
    aligned: bool
    forc: bool
    fnc: bool
    def __getitem__(self, name: str, /) -> bool: ...

class broadcast:
    shape: tuple[int, ...]
    ndim: int
    nd: int
    size: int
    index: int
    numiter: int
    iters: tuple[flatiter, ...]
    def __init__(self, *args: _Like) -> None: ...
    def reset(self) -> None: ...
    def __iter__(self) -> broadcast: ...
    def __next__(self) -> tuple[ndarray, ...]: ...

class flatiter:
    base: ndarray
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[ndarray]: ...
    def __next__(self) -> ndarray: ...
    def __getitem__(self, key: Any, /) -> ndarray: ...
    def __setitem__(self, key: Any, value: _Like, /) -> None: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any: ...
    def copy(self) -> ndarray: ...

typecodes: dict[str, str]
True_: ndarray
False_: ndarray
# members of ndarray
    def __round__(self, ndigits: int | None = None) -> Any: ...
    @property
    def flags(self) -> _Flags: ...
    @property
    def flat(self) -> flatiter: ...
    @flat.setter
    def flat(self, value: _Like, /) -> None: ...
    @property
    def base(self) -> _Array | None: ...
# members of random.Generator
    def shuffle(self, x: Any, axis: int = 0) -> None: ...
    def spawn(self, n_children: int) -> list[Generator]: ...
# module random
class RandomState:
    def __init__(self, seed: int | None = None) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def seed(self, seed: int | None = None) -> None: ...
    def rand(self, *shape: int) -> _Array: ...
    def randn(self, *shape: int) -> _Array: ...
    def randint(
        self, low: _Like, high: _Like | None = None, size: _ShapeLike | None = None, dtype: _DtypeLike = int
    ) -> _Array: ...
    def random_sample(self, size: _ShapeLike | None = None) -> _Array: ...

def shuffle(x: Any) -> None: ...
