//! A build with a 16th dtype, by one row of `dtype-tables/dtypes-extra.tsv`, and with one more set of rules, by one row of
//! `dtype-tables/rules/sets-extra.tsv` and a folder.

#[path = "../../ivy-core/tests/it/common/mod.rs"]
#[expect(dead_code, reason = "the core's own tests ask which ops ran")]
mod common;

use common::backend_without;
use ivy_core::functional as ivy;
use ivy_core::plan::OperandSpec;
use ivy_core::promotion::result_of;
use ivy_core::{Context, Dtype, ErrorKind, Kind, Rules, context, finfo};

const NAME: &str = "float8_e5m2";

fn extra() -> Dtype {
    NAME.parse().expect("the row parses")
}

#[test]
fn the_row_is_a_dtype() {
    let extra = extra();
    assert_eq!(Dtype::COUNT, 16);
    assert_eq!((extra.name(), extra.kind(), extra.bits(), extra.bytes()), (NAME, Kind::Float, 8, 1));
    assert_eq!("f8e5m2".parse::<Dtype>().unwrap(), extra);
    assert_eq!(ivy::all_dtypes().iter().last(), Some(extra));
    assert_eq!(ivy::all_float_dtypes().len(), 5);
    let info = finfo(extra).unwrap();
    assert_eq!((info.bits, info.max, info.eps), (8, 57344.0, 0.25));
    assert_eq!(info.smallest_normal, 2f64.powi(-14));
    assert!(Dtype::FLOAT16.holds(extra) && !extra.holds(Dtype::FLOAT16));
}

#[test]
fn it_promotes_with_itself_and_bool() {
    for rules in [Rules::Precise, Rules::NonPrecise, Rules::ArrayApi] {
        for other in Dtype::all() {
            let expected = match other {
                d if d == extra() => Some(extra()),
                Dtype::BOOL if rules != Rules::ArrayApi => Some(extra()),
                _ => None,
            };
            assert_eq!(rules.lookup(extra(), other), expected, "{rules}: {other}");
            assert_eq!(rules.lookup(other, extra()), expected, "{rules}: {other}");
        }
    }
    // A framework that has it says more.
    assert_eq!(Rules::Jax.lookup(extra(), Dtype::INT32), Some(extra()));
    assert_eq!(ivy::result_type((extra(), 2.5)).unwrap(), extra());
    assert!(matches!(
        ivy::promote_types(extra(), "float16", ()).unwrap_err().kind(),
        ErrorKind::NoPromotion { .. }
    ));
}

#[test]
fn a_folder_and_a_row_are_a_set_of_rules() {
    let made_up: Rules = "made-up".parse().unwrap();
    assert!(made_up == Rules::MadeUp && Rules::ALL.last() == Some(&made_up));
    assert_eq!((made_up.name(), made_up.source()), ("made-up", "nobody"));
    // The folder's own file, and the others of the set that it is based on.
    let of = |name: &str, dtype: Dtype| {
        let function = ivy_core::function::find_function(name).unwrap();
        let operands = vec![OperandSpec::Array(dtype); function.operands.len()];
        result_of(function, made_up, &operands).unwrap().unwrap().0
    };
    assert_eq!((of("divide", Dtype::INT64), of("sum", Dtype::INT8)), (Dtype::FLOAT16, Dtype::INT32));
    assert_eq!(of("add", Dtype::INT8), Dtype::INT8);
    for (a, b) in Dtype::all().flat_map(|a| Dtype::all().map(move |b| (a, b))) {
        assert_eq!(made_up.lookup(a, b), Rules::Numpy.lookup(a, b));
    }
    let error = "made-upp".parse::<Rules>().unwrap_err();
    assert!(error.to_string().contains("did you mean made-up?"), "{error}");
}

#[test]
fn a_backend_without_storage_refuses_it() {
    context::with(&Context::new().backend(backend_without(extra())), || {
        assert_eq!(ivy::invalid_dtypes(), extra().into());
        // The first dtype of the table that holds all its values.
        assert_eq!(ivy::closest_valid_dtype(extra()).unwrap(), Dtype::BFLOAT16);
        let error = ivy::zeros([2], extra()).unwrap_err();
        let ErrorKind::DtypeNotStored { function: "zeros", dtype, backend, .. } = error.kind() else {
            panic!("{error}")
        };
        assert_eq!((*dtype, backend.as_str()), (extra(), "partial"));
        assert!(ivy::astype(ivy::ones([2], ()).unwrap(), extra()).is_err());
    });
}
