//! Types: that equal ones are one, what makes none, and which targets have them.

use ivy_taichi_types::{
    BitStruct, PrimitiveType, QuantArray, QuantFixed, QuantFloat, QuantInt, Support, Target, Type, TypeError,
};

use PrimitiveType::{F16, F32, F64, I8, I16, I32, I64, U8, U32};

/// One type of every kind, made anew at each call.
fn one_of_each() -> Vec<Type> {
    let int = QuantInt::new(5, true, None).unwrap();
    let float: Type = QuantFloat::new(5, 8, true, None).unwrap().into();
    let pair = Type::structure([("a", Type::from(I32)), ("b", Type::vector(2, F32).unwrap())]).unwrap();
    vec![
        F32.into(),
        Type::vector(3, F32).unwrap(),
        Type::matrix(3, 1, F32).unwrap(),
        Type::vector(3, I32).unwrap(),
        pair,
        Type::arg_pack([("a", I32)]).unwrap(),
        Type::pointer(I32.into()),
        int.into(),
        QuantFixed::with_max(10, true, 2.0, None).unwrap().into(),
        QuantFixed::with_max(10, true, 4.0, None).unwrap().into(),
        float,
        BitStruct::pack(32, &[(&[int.into(), float], false)]).unwrap().into(),
        QuantArray::new(32, int.into(), 6).unwrap().into(),
    ]
}

#[test]
fn t_01_equal_types_are_one() {
    let (once, again) = (one_of_each(), one_of_each());
    for (n, &a) in once.iter().enumerate() {
        for (m, &b) in again.iter().enumerate() {
            assert_eq!(std::ptr::eq(a.kind(), b.kind()), n == m, "{a} and {b}");
            assert_eq!(a == b, n == m, "{a} and {b}");
        }
    }
    let names: Vec<String> = once.iter().map(Type::to_string).collect();
    assert_eq!(
        names,
        [
            "f32",
            "[Tensor (3) f32]",
            "[Tensor (3, 1) f32]",
            "[Tensor (3) i32]",
            "struct{a: i32, b: [Tensor (2) f32]}",
            "argpack{a: i32}",
            "*i32",
            "qi5",
            "qfx(d=qi10 c=f32 s=0.00390625)",
            "qfx(d=qi10 c=f32 s=0.0078125)",
            "qfl(d=qi8 e=qu5 c=f32)",
            "bit_struct u32{qi5@0, qfl(d=qi8 e=qu5 c=f32)@10 exponent @5}",
            "quant_array u32[6 x qi5]",
        ]
    );
}

#[test]
fn t_01_types_that_do_not_exist() {
    let int: Type = QuantInt::new(20, false, None).unwrap().into();
    let float: Type = QuantFloat::new(5, 8, true, None).unwrap().into();
    let other: Type = QuantFloat::new(6, 8, true, None).unwrap().into();
    let pair = Type::structure([("a", I32)]).unwrap();
    let pack = |bits, types: &[Type], shared| BitStruct::pack(bits, &[(types, shared)]).unwrap_err();
    let cases: [(TypeError, &str); 15] = [
        (Type::vector(0, F32).unwrap_err(), "a vector or matrix has at least one element, got the shape [0]"),
        (
            Type::vector(2, pair).unwrap_err(),
            "struct{a: i32} is no number: it cannot be an element of a vector or matrix",
        ),
        (
            Type::matrix(usize::MAX, 2, F32).unwrap_err(),
            "a vector or matrix has at most 65536 elements, got the shape [18446744073709551615, 2]",
        ),
        (Type::structure([("a", I32), ("a", F32)]).unwrap_err(), "two members are called `a`"),
        ("f33".parse::<PrimitiveType>().unwrap_err(), "no type is called `f33`"),
        (QuantInt::new(0, true, None).unwrap_err(), "integer of 0 bits: a quantised type has 1 to 64"),
        (
            QuantInt::new(40, true, Some(I32)).unwrap_err(),
            "compute type i32: it must be an integer of as many bits or more",
        ),
        (
            QuantFixed::with_scale(8, true, 0.0, None).unwrap_err(),
            "the scale of a number of fixed point is positive and finite, got 0",
        ),
        (QuantFixed::with_max(8, true, 1.0, Some(I32)).unwrap_err(), "compute type i32: it must be a float"),
        (QuantFloat::new(9, 8, true, None).unwrap_err(), "exponent of 9 bits: a quantised type has 1 to 8"),
        (QuantFloat::new(8, 25, true, None).unwrap_err(), "digits of 25 bits: a quantised type has 1 to 24"),
        (pack(24, &[int], false), "a word has 8, 16, 32 or 64 bits, got 24"),
        (pack(32, &[int, int], false), "the members need 40 bits, and the word has 32"),
        (
            pack(64, &[float, other], true),
            "only two or more quantised floats of equal exponents share one, got [qfl(d=qi8 e=qu5 c=f32), qfl(d=qi8 e=qu6 c=f32)]",
        ),
        (pack(32, &[F32.into()], false), "f32 is no quantised type that can be packed here"),
    ];
    for (error, text) in cases {
        assert_eq!(error.to_string(), text);
    }
    assert!(QuantArray::new(32, float, 2).is_err(), "floats have exponents");
}

#[test]
fn t_02_types_by_target() {
    let support = |target: &str, ty| Target::of(target).unwrap().support(ty);
    for ty in PrimitiveType::ALL {
        let own = if ty == PrimitiveType::U1 { Support::No } else { Support::Yes };
        assert_eq!((support("cpu", ty), support("cuda", ty)), (own, own), "{ty}");
        for target in ["interp", "llvm", "ptx"] {
            assert_eq!(support(target, ty), Support::Yes, "{ty} on {target}");
        }
    }
    let with = |target: &str, support: Support| -> Vec<PrimitiveType> {
        let target = Target::of(target).unwrap();
        PrimitiveType::ALL.into_iter().filter(|&ty| target.support(ty) == support).collect()
    };
    assert_eq!(with("opengl", Support::Yes), [I32, F32, F64]);
    assert_eq!(with("opengl", Support::Extension), [I64]);
    assert_eq!(with("metal", Support::Yes), [I8, I16, I32, U8, PrimitiveType::U16, U32, F32]);
    assert_eq!(with("vulkan", Support::Yes), [I32, U32, F16, F32]);
    assert_eq!(with("vulkan", Support::No), [PrimitiveType::U1]);
    assert_eq!(Target::all().count(), 8);
    assert_eq!(Target::of("webgpu").unwrap_err().to_string(), "no target is called `webgpu`");
    assert_eq!(Support::Extension.to_string(), "⭕");
}

#[test]
fn t_01_primitive_types_by_name() {
    for primitive in PrimitiveType::ALL {
        let ty = Type::from(primitive);
        assert_eq!(ty.primitive(), Some(primitive));
        assert_eq!(ty.to_string().parse::<PrimitiveType>(), Ok(primitive));
        assert_eq!(PrimitiveType::of_dtype(primitive.dtype()), Some(primitive));
    }
    assert_eq!("float32".parse::<PrimitiveType>(), Ok(F32));
    assert_eq!((PrimitiveType::U1.bits(), PrimitiveType::U1.bytes(), F16.bits(), I64.bytes()), (1, 1, 16, 8));
}
