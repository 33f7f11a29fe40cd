_Result = TypeVar("_Result")

class custom_vjp:
    def __init__(
        self, fun: Callable[..., Any], nondiff_argnums: Sequence[int] = (), nondiff_argnames: Sequence[str] = ()
    ) -> None: ...
    def defvjp(
        self,
        fwd: Callable[..., tuple[Any, Any]],
        bwd: Callable[..., Any],
        symbolic_zeros: bool = False,
        optimize_remat: bool = False,
    ) -> None: ...
    def __call__(self, *args: Any, **keywords: Any) -> Any: ...

class custom_jvp:
    def __init__(
        self, fun: Callable[..., Any], nondiff_argnums: Sequence[int] = (), nondiff_argnames: Sequence[str] = ()
    ) -> None: ...
    def defjvp(self, jvp: Callable[..., tuple[Any, Any]], symbolic_zeros: bool = False) -> Callable[..., Any]: ...
    def defjvps(self, *jvps: Callable[..., Any] | None) -> None: ...
    def __call__(self, *args: Any, **keywords: Any) -> Any: ...

class _Indexed:
    def get(self, **keywords: Any) -> Array: ...
    def set(self, values: _Like, **keywords: Any) -> Array: ...
    def add(self, values: _Like, **keywords: Any) -> Array: ...
    def subtract(self, values: _Like, **keywords: Any) -> Array: ...
    def multiply(self, values: _Like, **keywords: Any) -> Array: ...
    def divide(self, values: _Like, **keywords: Any) -> Array: ...
    def power(self, values: _Like, **keywords: Any) -> Array: ...
    def min(self, values: _Like, **keywords: Any) -> Array: ...
    def max(self, values: _Like, **keywords: Any) -> Array: ...
    def apply(self, func: Callable[[Array], _Like], **keywords: Any) -> Array: ...

class _At:
    def __getitem__(self, index: Any, /) -> _Indexed: ...

# members of Array
    @property
    def at(self) -> _At: ...
# module numpy
from ivyrs.frontends.jax import Array as ndarray

class finfo:
    dtype: Dtype
    bits: int
    eps: Array
    epsneg: Array
    max: Array
    min: Array
    smallest_normal: Array
    smallest_subnormal: Array
    tiny: Array
    resolution: Array
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

# module tree_util
class PyTreeDef:
    @property
    def num_leaves(self) -> int: ...
    @property
    def num_nodes(self) -> int: ...
    def unflatten(self, leaves: Iterable[Any]) -> Any: ...
    def children(self) -> list[PyTreeDef]: ...
    def flatten_up_to(self, tree: Any) -> list[Any]: ...

class DictKey(NamedTuple):
    key: Any

class SequenceKey(NamedTuple):
    idx: int

class GetAttrKey(NamedTuple):
    name: str

class FlattenedIndexKey(NamedTuple):
    key: int

class Partial:
    func: Callable[..., Any]
    def __init__(self, func: Callable[..., Any], /, *args: Any, **keywords: Any) -> None: ...
    def __call__(self, *args: Any, **keywords: Any) -> Any: ...
