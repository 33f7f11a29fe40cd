//! The declared tables of torch and numpy against what was read off Ivy, entry by entry.

use ivy_dtype_tables::support::{
    Device, Form, How, Level, declared, declared_backends, default_version, dtype_names, dtype_set,
    known_function, lint, valid_dtypes,
};
use serde_json::Value;
use std::collections::BTreeSet;

fn data() -> Value {
    serde_json::from_str(include_str!("../data/declared.json")).unwrap()
}

fn words(list: &Value) -> String {
    match list {
        Value::Array(items) => items.iter().map(|i| i.as_str().unwrap()).collect::<Vec<_>>().join(","),
        other => format!("bare {}", other.as_str().unwrap()),
    }
}

/// `function form devices versions dtypes`, as the source has them.
fn of_source(backend: &str, data: &Value) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for entry in data[backend].as_array().unwrap() {
        let (place, decorator) = (entry[0].as_str().unwrap(), entry[1].as_str().unwrap());
        let function = place.split(':').nth(1).unwrap();
        let form = if decorator.starts_with("with_un") { "unsupported" } else { "supported" };
        for version in entry[2].as_array().unwrap() {
            let key = version[0].as_str().unwrap();
            if decorator.ends_with("_device_and_dtypes") {
                for device in version[1].as_array().unwrap() {
                    let list = words(&device[1]);
                    out.insert(format!("{function} {form} {} {key} {list}", device[0].as_str().unwrap()));
                }
            } else {
                out.insert(format!("{function} {form} all {key} {}", words(&version[1])));
            }
        }
    }
    for (place, entries) in data["functional"].as_object().unwrap() {
        let function = place.split(':').nth(1).unwrap();
        let value = &entries[0]["v"];
        let list = if value.is_array() { Some(value) } else { value.get(backend) };
        if let Some(list) = list {
            out.insert(format!("{function} unsupported all 0 and above {}", words(list)));
        }
    }
    out
}

fn of_table(backend: &str) -> BTreeSet<String> {
    let table = declared(backend).unwrap();
    let rows = table
        .rows()
        .iter()
        .map(|r| format!("{} {} {} {} {}", r.functions.join(","), r.form, r.devices, r.versions, r.written));
    rows.collect()
}

#[test]
fn tables_equal_the_source_but_for_its_misspellings() {
    let data = data();
    for (backend, only_source, only_table) in [("torch", TORCH.0, TORCH.1), ("numpy", NUMPY.0, NUMPY.1)] {
        let (source, table) = (of_source(backend, &data), of_table(backend));
        assert_eq!(source.difference(&table).collect::<Vec<_>>(), only_source);
        assert_eq!(table.difference(&source).collect::<Vec<_>>(), only_table);
        // No row twice.
        assert_eq!(declared(backend).unwrap().rows().len(), table.len());
    }
}

type Changes = (&'static [&'static str], &'static [&'static str]);

/// Bare strings, misspelt dtypes, and second bodies for newer versions whose lists are those of
/// the first.
const TORCH: Changes = (
    &[
        "conv1d_v_1p9p0_and_above unsupported all 2.2 and below float16,bfloat16,complex",
        "conv2d_v_1p9p0_and_above unsupported all 2.2 and below float16,bfloat16,complex",
        "conv3d_v_1p9p0_and_above unsupported all 2.2 and below float16,bfloat16,complex",
        "conv_general_dilated_v_1p9p0_and_above unsupported all 2.2 and below float16,bfloat16,complex",
        "l1_loss unsupported all 2.2 and below unit8,int8,int16,int32,int64,bool",
        "matrix_norm supported all 2.2 and below float32,float64,complex32,complex64",
        "polyval unsupported all 2.0.1 and below bare float16",
        "vmap_v_1p13p1_and_below unsupported all 2.2 and below bfloat16",
        "vmap_v_2p0p0_and_above unsupported all 2.2 and below bfloat16",
    ],
    &[
        "l1_loss unsupported all 2.2 and below uint8,int8,int16,int32,int64,bool",
        "matrix_norm supported all 2.2 and below float32,float64,complex64",
        "polyval unsupported all 2.0.1 and below float16",
        "vmap unsupported all 2.2 and below bfloat16",
    ],
);

const NUMPY: Changes = (
    &[
        "cummin unsupported all 1.26.3 and below bare bfloat16",
        "relu supported all 1.26.3 and below float,int,complex",
    ],
    &[
        "cummin unsupported all 1.26.3 and below bfloat16",
        "relu supported all 1.26.3 and below float,integer,complex",
    ],
);

#[test]
fn valid_dtypes_and_versions_equal_the_source() {
    for (backend, rows) in data()["valid"].as_object().unwrap() {
        for (key, list) in rows.as_object().unwrap() {
            let last = key.strip_suffix(" and below").unwrap().parse().unwrap();
            let (dtypes, resolved, _) = valid_dtypes(backend, &last).unwrap();
            assert_eq!(dtype_names(dtypes).join(","), words(list));
            assert_eq!(resolved.how, How::Range);
        }
    }
    let keys: Value = serde_json::from_str(include_str!("../data/version_keys.json")).unwrap();
    for (frontend, version) in keys["frontends"].as_object().unwrap() {
        assert_eq!(default_version(frontend), version.as_str());
    }
}

#[test]
fn history_of_the_valid_dtypes() {
    let backends = ["torch", "numpy", "jax", "tensorflow", "paddle", "mxnet"];
    assert_eq!(declared_backends().collect::<Vec<_>>(), backends);
    let lacks = |backend: &str, version: &str| {
        let (dtypes, ..) = valid_dtypes(backend, &version.parse().unwrap()).unwrap();
        dtype_names(!dtypes & dtype_set("valid").unwrap()).join(" ")
    };
    assert_eq!(lacks("numpy", "1.25"), "bfloat16");
    assert_eq!(lacks("torch", "2.2.3"), "uint16 uint32 uint64");
    assert_eq!(lacks("jax", "0.4.14"), "");
    assert_eq!(lacks("tensorflow", "2.15.0"), "");
    assert_eq!(lacks("paddle", "2.4.2"), "uint16 uint32 uint64 bfloat16");
    assert_eq!(lacks("paddle", "2.6.0"), "uint16 uint32 uint64");
    assert_eq!(lacks("mxnet", "1.9.1"), "int16 uint16 uint32 uint64 bfloat16 complex64 complex128");
}

#[test]
fn questions_about_versions_of_the_past() {
    let ask = |backend: &str, function: &str, device, version: &str| {
        let answer = declared(backend).unwrap().lookup(function, device, &version.parse().unwrap()).unwrap();
        (answer.form, dtype_names(answer.dtypes).join(" "), answer.how)
    };
    let cpu = Device::Cpu;
    let expm1 = "float16 complex64 complex128".to_string();
    assert_eq!(ask("torch", "expm1", cpu, "2.0.1"), (Form::Unsupported, expm1.clone(), How::Range));
    assert_eq!(
        ask("torch", "expm1", cpu, "2.13.0"),
        (Form::Unsupported, expm1, How::LastKey { older: true })
    );
    let (form, dtypes, _) = ask("torch", "lcm", cpu, "2.0.1");
    assert_eq!((form, dtypes.as_str()), (Form::Unsupported, "bfloat16 float16 float32 float64"));
    let linspace = ask("torch", "linspace", Device::Gpu, "2.0.1");
    assert_eq!(linspace, (Form::Unsupported, String::new(), How::Range));
    assert_eq!(ask("jax", "cumsum", cpu, "0.4.14").1, "bool");
    // The first key that holds the version speaks, also for a device that only it names.
    assert_eq!(ask("paddle", "einsum", Device::Tpu, "2.4.2"), (Form::Supported, String::new(), How::Range));
}

#[test]
fn warnings_about_ivys_own_lists() {
    let warnings = |backend: &str| -> Vec<String> {
        lint(declared(backend).unwrap(), &known_function, None)
            .iter()
            .filter(|f| f.level() == Level::Warning)
            .map(|f| format!("{}: {}", f.key, f.text))
            .collect()
    };
    let overlap = |above: &str, line: usize| {
        format!("1.12.1 and above: overlaps `{above}` of line {line} on all; the first is taken")
    };
    assert_eq!(warnings("torch"), [overlap("2.2 and below", 169), overlap("1.12.1 and below", 246)]);
    assert_eq!(warnings("numpy"), Vec::<String>::new());
    let newer_first = |line: usize, device: &str| {
        format!("2.4.2 and below: overlaps `2.6.0 and below` of line {line} on {device}; the first is taken")
    };
    let shadowed =
        "2.4.2 and below: the keys that speak before it hold all its versions, so only the fall to \
                    the last key takes it"
            .to_string();
    let hole = "2.4.2 and below: no key of bernoulli holds versions above `2.4.2 and below` and below \
                `2.5.0 and above`; they take this, the last key"
        .to_string();
    assert_eq!(
        warnings("paddle"),
        [
            newer_first(142, "cpu"),
            shadowed.clone(),
            newer_first(143, "gpu"),
            hole,
            newer_first(283, "cpu"),
            shadowed,
            newer_first(284, "gpu"),
        ]
    );
}
