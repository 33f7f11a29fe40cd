//! The rules of static typing, one by one.

use ivy_core::Rules;
use ivy_taichi_types::{
    AtomicOp, BinaryOp, Literal, Place, PrimitiveType, TernaryOp, Type, TypeWarning, Typing, UnaryOp,
    Warnings, check_assign, type_of_atomic, type_of_binary, type_of_cast, type_of_literal, type_of_ternary,
    type_of_unary,
};

use PrimitiveType::{F16, F32, F64, I8, I16, I32, I64, U1, U8, U32, U64};

fn both() -> [Typing; 2] {
    [Rules::Taichi, Rules::Taichi17].map(|rules| Typing::new(rules, I32, F32).unwrap())
}

fn result(op: BinaryOp, a: PrimitiveType, b: PrimitiveType, typing: &Typing) -> Option<PrimitiveType> {
    type_of_binary(op, a.into(), b.into(), typing).ok()?.result.primitive()
}

#[test]
fn t_03_default_types_and_their_aliases() {
    let typing = Typing::new(Rules::Taichi, I64, F64).unwrap();
    assert_eq!((typing.named("int"), typing.named("float")), (Ok(I64), Ok(F64)));
    assert_eq!((typing.named("int32"), typing.named("f16")), (Ok(I32), Ok(F16)));
    assert_eq!(type_of_literal(Literal::Int(1 << 40), &typing), Ok(I64));
    assert_eq!(type_of_literal(Literal::Float(0.5), &typing), Ok(F64));
    // Division casts to the default float type, wherever it comes from.
    assert_eq!(result(BinaryOp::TrueDiv, I32, I32, &typing), Some(F64));
    let standard = Typing::default();
    assert_eq!((standard.default_ip(), standard.default_fp()), (I32, F32));
    let error = type_of_literal(Literal::Int(1 << 31), &standard).unwrap_err().to_string();
    assert!(error.starts_with("integer literal 2147483648 exceeds the range of default_ip i32"), "{error}");
    let refused = |rules, ip, fp| Typing::new(rules, ip, fp).unwrap_err().to_string();
    assert_eq!(
        refused(Rules::Taichi, F32, F32),
        "default_ip must be an integer type of 32 or 64 bits, got f32"
    );
    assert_eq!(refused(Rules::Taichi, I32, I64), "default_fp must be a float type, got i64");
    assert_eq!(
        refused(Rules::Numpy, I32, F32),
        "the numpy rules are none of Taichi's: `taichi` and `taichi-1.7` are"
    );
}

#[test]
fn t_04_promotion_is_a_total_order() {
    for typing in both() {
        let promote = |a, b| typing.promote(a, b).unwrap();
        for a in PrimitiveType::ALL {
            for b in PrimitiveType::ALL {
                let common = promote(a, b);
                assert!(common == a || common == b, "{a} {b}");
                assert_eq!(common, promote(b, a), "{a} {b}");
                for c in PrimitiveType::ALL {
                    assert_eq!(promote(common, c), promote(a, promote(b, c)), "{a} {b} {c}");
                }
            }
        }
        let cases = [(I32, F16, F16), (U8, I16, I16), (U32, I32, U32), (I16, U8, I16), (F16, F32, F32)];
        for (a, b, common) in cases.into_iter().chain([(I64, U64, U64)]) {
            assert_eq!(result(BinaryOp::Add, a, b, &typing), Some(common), "{a} + {b}");
        }
    }
}

#[test]
fn t_05_truth_values_are_the_least() {
    for typing in both() {
        for other in PrimitiveType::ALL {
            assert_eq!(typing.promote(U1, other), Some(other));
            assert_eq!(typing.promote(other, U1), Some(other));
        }
    }
}

#[test]
fn t_06_shifts_keep_the_left_type() {
    for typing in both() {
        for op in [BinaryOp::BitShl, BinaryOp::BitShr, BinaryOp::BitSar] {
            let typed = type_of_binary(op, U8.into(), I32.into(), &typing).unwrap();
            assert_eq!((typed.operands, typed.result), ([U8.into(), U8.into()], U8.into()));
            assert_eq!(result(op, I16, I8, &typing), Some(I16));
            assert_eq!(result(op, F32, I8, &typing), None);
            assert_eq!(result(op, I32, F32, &typing), None);
        }
    }
}

#[test]
fn t_07_angles() {
    for typing in both() {
        let of = |a, b| result(BinaryOp::Atan2, a, b, &typing);
        assert_eq!((of(I32, F32), of(I32, F64), of(F16, F16)), (Some(F32), Some(F64), Some(F32)));
    }
}

#[test]
fn t_08_powers_of_integer_exponents_keep_the_base() {
    for typing in both() {
        let typed = type_of_binary(BinaryOp::Pow, F16.into(), I64.into(), &typing).unwrap();
        assert_eq!((typed.operands, typed.result), ([F16.into(), I64.into()], F16.into()));
        assert_eq!(result(BinaryOp::Pow, I32, I32, &typing), Some(I32));
        let typed = type_of_binary(BinaryOp::Pow, I32.into(), F32.into(), &typing).unwrap();
        assert_eq!((typed.operands, typed.result), ([F32.into(), F32.into()], F32.into()));
    }
}

#[test]
fn t_09_true_division_is_of_floats() {
    for typing in both() {
        let typed = type_of_binary(BinaryOp::TrueDiv, I32.into(), I64.into(), &typing).unwrap();
        assert_eq!((typed.operands, typed.result), ([F32.into(), F32.into()], F32.into()));
        assert_eq!(result(BinaryOp::TrueDiv, F64, I32, &typing), Some(F64));
        assert_eq!(result(BinaryOp::TrueDiv, F16, I32, &typing), Some(F32));
        assert_eq!(result(BinaryOp::TrueDiv, F16, F16, &typing), Some(F16));
    }
}

#[test]
fn t_10_comparisons_and_logic() {
    let [documented, current] = both();
    for op in
        [BinaryOp::CmpEq, BinaryOp::CmpNe, BinaryOp::CmpLt, BinaryOp::CmpLe, BinaryOp::CmpGt, BinaryOp::CmpGe]
    {
        assert_eq!(result(op, F32, I64, &documented), Some(I32));
        assert_eq!(result(op, F32, I64, &current), Some(U1));
        let typed = type_of_binary(op, U8.into(), I16.into(), &current).unwrap();
        assert_eq!(typed.operands, [I16.into(), I16.into()], "both sides are compared as one type");
    }
    assert_eq!(result(BinaryOp::LogicalAnd, U8, I32, &documented), Some(I32));
    for typing in [documented, current] {
        assert_eq!(result(BinaryOp::Add, typing.truth(), I32, &typing), Some(I32), "(x == 1) + 1");
        assert_eq!(result(BinaryOp::LogicalOr, F32, I32, &typing), None);
    }
    assert_eq!((documented.truth(), current.truth()), (I32, U1));
}

#[test]
fn t_11_real_functions_of_integers() {
    let typing = Typing::new(Rules::Taichi, I32, F64).unwrap();
    for op in [UnaryOp::Sqrt, UnaryOp::Exp, UnaryOp::Log] {
        let typed = type_of_unary(op, I32.into(), &typing).unwrap();
        assert_eq!((typed.operands, typed.result), ([F64.into()], F64.into()), "{op}");
    }
    for op in [UnaryOp::Sin, UnaryOp::Cos, UnaryOp::Floor, UnaryOp::Ceil, UnaryOp::Round, UnaryOp::Frexp] {
        let error = type_of_unary(op, I32.into(), &typing).unwrap_err().to_string();
        assert_eq!(error, format!("'{op}' takes real inputs only, however 'i32' is provided"));
        assert!(type_of_unary(op, F16.into(), &typing).is_ok());
    }
    let parts = type_of_unary(UnaryOp::Frexp, Type::vector(2, F64).unwrap(), &typing).unwrap().result;
    assert_eq!(parts.to_string(), "struct{x: [Tensor (2) f64], exp: [Tensor (2) i32]}");
}

#[test]
fn t_12_bits_of_floats_are_refused() {
    for typing in both() {
        for op in [BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor] {
            let error = type_of_binary(op, F32.into(), I32.into(), &typing).unwrap_err().to_string();
            assert_eq!(error, format!("unsupported operand type(s) for '{}': 'f32' and 'i32'", op.symbol()));
        }
        let error = type_of_unary(UnaryOp::BitNot, F32.into(), &typing).unwrap_err().to_string();
        assert_eq!(error, "unsupported operand type(s) for '~': 'f32'");
    }
}

#[test]
fn t_13_choices_promote_their_values() {
    for typing in both() {
        let of = |condition: Type, a: Type, b: Type| {
            type_of_ternary(TernaryOp::Select, condition, a, b, &typing).map(|typed| typed.result)
        };
        assert_eq!(of(typing.truth().into(), I32.into(), F32.into()), Ok(F32.into()));
        let error = of(F32.into(), I32.into(), F32.into()).unwrap_err().to_string();
        assert_eq!(error, "unsupported operand type(s) for 'select': 'f32', 'i32' and 'f32'");
        let mask = Type::vector(3, I32).unwrap();
        assert_eq!(of(mask, F32.into(), I32.into()), Ok(Type::vector(3, F32).unwrap()));
        let single = type_of_ternary(TernaryOp::IfExpression, mask, F32.into(), I32.into(), &typing);
        assert!(single.is_err(), "a conditional expression has one condition");
    }
}

fn line(line: u32) -> Place {
    Place { file: "foo.py".to_owned(), line, column: 5, width: 8, text: "    a = 3.14".to_owned() }
}

#[test]
fn t_17_assignments_keep_the_first_type() {
    let typing = Typing::default();
    let (to, warning) = check_assign(I32.into(), F32.into(), &typing).unwrap();
    assert_eq!(to, I32.into());
    let mut warnings = Warnings::default();
    warnings.note(warning, &line(3));
    warnings.note(warning, &line(3));
    let given: Vec<String> = warnings.given().iter().map(ToString::to_string).collect();
    let expected = "foo.py:3:5\n    a = 3.14\n    ^^^^^^^^\nAssign may lose precision: i32 <- f32";
    assert_eq!(given, [expected], "once a place");
    // A float variable takes an integer without a word.
    assert_eq!(check_assign(F32.into(), I32.into(), &typing), Ok((F32.into(), None)));
    let vector = |element| Type::vector(2, element).unwrap();
    let (to, warning) = check_assign(vector(I32), F32.into(), &typing).unwrap();
    assert_eq!(to, I32.into(), "a number goes into every element");
    assert_eq!(warning, Some(TypeWarning::Assign { dest: vector(I32), value: F32.into() }));
    let error = check_assign(vector(F32), Type::vector(3, F32).unwrap(), &typing).unwrap_err().to_string();
    assert_eq!(error, "unsupported operand type(s) for '=': '[Tensor (2) f32]' and '[Tensor (3) f32]'");
    assert!(check_assign(F32.into(), vector(F32), &typing).is_err());
}

#[test]
fn t_18_warnings_have_reasons_places_and_a_switch() {
    for typing in both() {
        for dest in PrimitiveType::ALL {
            let (_, warning) = check_assign(dest.into(), dest.into(), &typing).unwrap();
            assert_eq!(warning, None, "{dest}");
            for value in PrimitiveType::ALL {
                let (_, warning) = check_assign(dest.into(), value.into(), &typing).unwrap();
                assert_eq!(warning.is_some(), typing.promote(dest, value) != Some(dest), "{dest} <- {value}");
            }
        }
        let (_, warning) = check_assign(I32.into(), I64.into(), &typing).unwrap();
        let mut off = Warnings::new(false);
        off.note(warning, &line(1));
        assert!(warning.is_some() && off.given().is_empty());
    }
}

#[test]
fn t_19_atomics_cast_to_the_destination() {
    let typing = Typing::default();
    let typed = type_of_atomic(AtomicOp::Add, I32.into(), F32.into(), &typing).unwrap();
    assert_eq!((typed.value, typed.result), (I32.into(), I32.into()));
    assert_eq!(typed.warning.unwrap().to_string(), "atomic_add may lose precision: i32 <- f32");
    assert_eq!(type_of_atomic(AtomicOp::Add, F32.into(), I32.into(), &typing).unwrap().warning, None);
    assert!(type_of_atomic(AtomicOp::BitXor, F32.into(), I32.into(), &typing).is_err());
    let vector = Type::vector(3, F32).unwrap();
    assert_eq!(type_of_atomic(AtomicOp::Max, vector, F32.into(), &typing).unwrap().result, vector);
    assert!(type_of_atomic(AtomicOp::Max, F32.into(), vector, &typing).is_err());
}

#[test]
fn t_20_vectors_and_matrices() {
    let typing = Typing::default();
    let of = |op, a, b| type_of_binary(op, a, b, &typing);
    let (three, two) = (Type::vector(3, I32).unwrap(), Type::vector(2, F32).unwrap());
    let error = of(BinaryOp::Add, three, two).unwrap_err().to_string();
    assert_eq!(error, "unsupported operand type(s) for '+': '[Tensor (3) i32]' and '[Tensor (2) f32]'");
    let typed = of(BinaryOp::Mul, F32.into(), three).unwrap();
    assert_eq!(typed.operands, [F32.into(), Type::vector(3, F32).unwrap()]);
    assert_eq!(typed.result, Type::vector(3, F32).unwrap());
    let matrix = Type::matrix(2, 2, F64).unwrap();
    assert_eq!(of(BinaryOp::CmpLt, matrix, I32.into()).unwrap().result, Type::matrix(2, 2, I32).unwrap());
    assert!(of(BinaryOp::Add, matrix, Type::vector(2, F64).unwrap()).is_err());
    let pair = Type::structure([("a", I32)]).unwrap();
    assert!(of(BinaryOp::Add, pair, pair).is_err());
}

#[test]
fn t_21_casts_are_by_element_and_not_of_structs() {
    let cast = |from, to: PrimitiveType| type_of_cast(from, to.into());
    assert_eq!(cast(Type::vector(2, F32).unwrap(), I32), Ok(Type::vector(2, I32).unwrap()));
    let pair = Type::structure([("a", I32)]).unwrap();
    let error = cast(pair, F32).unwrap_err().to_string();
    assert_eq!(error, "'cast' from struct{a: i32} to f32: structs have no casts: cast their members");
    assert!(type_of_cast(F32.into(), Type::vector(2, I32).unwrap()).is_err());
}
