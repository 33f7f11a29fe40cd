//! Constructors and components of compound values.

use ivy_taichi_types::{Component, PrimitiveType, Type, construct, construct_struct, swizzle};

use PrimitiveType::{F32, I32};

fn from(made: &[Component]) -> Vec<Option<(usize, usize)>> {
    made.iter().map(|component| component.from).collect()
}

/// `my_ray3f` of the documents.
fn ray() -> Type {
    let vec3 = Type::vector(3, F32).unwrap();
    Type::structure([("ro", vec3), ("rd", vec3), ("l", F32.into())]).unwrap()
}

#[test]
fn t_21_constructors_of_the_documents() {
    let (vec3, vec2) = (Type::vector(3, F32).unwrap(), Type::vector(2, I32).unwrap());
    let mat2 = Type::matrix(2, 2, F32).unwrap();
    let of = |ty, arguments: &[Type]| from(&construct(ty, arguments).unwrap());
    assert_eq!(of(ray(), &[F32.into()]), [Some((0, 0)); 7], "my_ray3f(0.0)");
    assert_eq!(of(vec3, &[F32.into()]), [Some((0, 0)); 3], "my_vec3f(0.0)");
    assert_eq!(of(mat2, &[F32.into()]), [Some((0, 0)); 4], "my_mat2f(1.0)");
    let made = construct(vec3, &[vec2, I32.into()]).unwrap();
    assert_eq!(from(&made), [Some((0, 0)), Some((0, 1)), Some((1, 0))], "my_vec3f(my_vec2i(0), 1)");
    assert!(made.iter().all(|component| component.ty == F32), "an implicit cast");
    let named = construct_struct(ray(), &[("l", I32.into()), ("ro", vec3)]).unwrap();
    let expected = [Some((1, 0)), Some((1, 1)), Some((1, 2)), None, None, None, Some((0, 0))];
    assert_eq!(from(&named), expected, "members that are not named are 0");
    let by_position = construct(ray(), &[vec3, F32.into()]).unwrap();
    let filled = Some((1, 0));
    assert_eq!(from(&by_position)[3..], [filled, filled, filled, None]);
    assert_eq!(of(ray(), &[ray()]), (0..7).map(|n| Some((0, n))).collect::<Vec<_>>());
    let rows = [Type::vector(2, F32).unwrap(); 2];
    assert_eq!(of(mat2, &rows), [Some((0, 0)), Some((0, 1)), Some((1, 0)), Some((1, 1))]);
    assert_eq!(of(Type::vector(1, F32).unwrap(), &[I32.into()]), [Some((0, 0))]);
}

#[test]
fn t_21_constructors_that_are_refused() {
    let vec3 = Type::vector(3, F32).unwrap();
    let error = construct(vec3, &[F32.into(), F32.into()]).unwrap_err().to_string();
    assert_eq!(error, "[Tensor (3) f32] has 3 numbers, got 2");
    assert!(construct(vec3, &[]).is_err());
    let error = construct(vec3, &[ray()]).unwrap_err().to_string();
    assert!(error.ends_with("to [Tensor (3) f32]: structs have no casts: give their members"), "{error}");
    assert!(construct(ray(), &[F32.into(); 4]).is_err());
    let named = |arguments: &[(&str, Type)]| construct_struct(ray(), arguments).unwrap_err().to_string();
    assert!(named(&[("x", F32.into())]).ends_with("has no member `x`"));
    assert_eq!(named(&[("l", F32.into()), ("l", F32.into())]), "two members are called `l`");
}

#[test]
fn t_21_components_by_letters() {
    let vec4 = Type::vector(4, F32).unwrap();
    let zyx = swizzle(vec4, "zyx").unwrap();
    assert_eq!((zyx.components, zyx.ty), (vec![2, 1, 0], Type::vector(3, F32).unwrap()));
    assert!(zyx.is_assignable);
    let twice = swizzle(vec4, "rgr").unwrap();
    assert_eq!((twice.components, twice.is_assignable), (vec![0, 1, 0], false));
    assert_eq!(swizzle(vec4, "q").unwrap().ty, F32.into());
    let refused = |ty, name| swizzle(ty, name).unwrap_err().to_string();
    let tail = "its letters are of `xyzw`, of `rgba` or of `stpq`";
    assert_eq!(refused(vec4, "xg"), format!("[Tensor (4) f32] has no component `xg`: {tail}"));
    let two = Type::vector(2, I32).unwrap();
    assert!(refused(two, "xz").ends_with("the vector has fewer components"));
    assert!(refused(vec4, "xyzwx").ends_with("names have one to four letters"));
    assert!(refused(ray(), "x").ends_with("only vectors have components by name"));
}
