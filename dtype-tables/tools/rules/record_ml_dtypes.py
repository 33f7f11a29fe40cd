"""Records how NumPy promotes its dtypes with those of ml_dtypes: `python record_ml_dtypes.py`."""
import ml_dtypes
import numpy as np
from common import Record, ask

OWN = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 bfloat16 "
       "float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz float8_e8m0fnu float8_e4m3 float8_e3m4 "
       "float8_e4m3b11fnuz float4_e2m1fn int2 int4 uint2 uint4").split()


def main():
    dtypes = {d: np.dtype(getattr(ml_dtypes, d, d)) for d in OWN}
    source = "Promotion of NumPy's dtypes with those of ml_dtypes."
    record = Record("ml_dtypes", ml_dtypes.__version__, "Apache-2.0", source, OWN)
    for a in OWN:
        record.add("binary", "promote_types", a, [ask(lambda: np.promote_types(dtypes[a], dtypes[b])) for b in OWN])
    record.write("numpy-ml_dtypes")


main()
