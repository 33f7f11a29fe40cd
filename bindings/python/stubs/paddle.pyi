dtype = Dtype

class finfo:
    dtype: str
    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    tiny: float
    resolution: float
    def __init__(self, type: _DtypeLike) -> None: ...

class iinfo:
    dtype: str
    bits: int
    max: int
    min: int
    def __init__(self, type: _DtypeLike) -> None: ...

# members of Tensor
    def numpy(self) -> Any: ...
