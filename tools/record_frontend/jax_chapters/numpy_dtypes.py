"""Calls of jax.numpy's functions of dtypes."""


def calls(jax, v):
    n = jax.numpy
    for pair in ("int32 float16", "int8 uint8", "bool int16", "bfloat16 float16", "float32 complex64", "uint32 int32", "int64 float32",
                 "bool bool", "uint64 int8"):
        n.promote_types(*pair.split())
    n.promote_types("int32", "no such")
    n.promote_types(1, 2)
    n.result_type(v.i([1]), 1.0)
    n.result_type(v.i1([1]), 1)
    n.result_type(v.h([1.0]), v.bf([1.0]))
    n.result_type("int16", v.u1([1]))
    n.result_type(1, 2.0)
    n.result_type(True)
    n.result_type(v.f([1.0]), 1j)
    n.result_type(v.w(1.0), v.h([1.0]))
    n.result_type("no such")
    n.isdtype("float32", "real floating")
    n.isdtype("int8", "unsigned integer")
    n.isdtype("uint8", ("unsigned integer", "bool"))
    n.isdtype("complex64", "numeric")
    n.isdtype("bool", "bool")
    n.isdtype("float32", "no such")
    n.isscalar(1)
    n.isscalar(2.5)
    n.isscalar(True)
    n.isscalar(v.f(1.0))
    n.isscalar(v.f([1.0]))
    n.isscalar([1])
    n.isscalar(None)
