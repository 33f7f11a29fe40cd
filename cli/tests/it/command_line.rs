//! The command line, run as users run it.

use serde_json::Value;
use std::process::{Command, Output};

fn ivy(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ivy")).args(arguments).output().expect("the command runs")
}

fn text(arguments: &[&str]) -> String {
    let output = ivy(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&text(arguments)).expect("JSON")
}

#[test]
fn promote_prints_the_dtype_alone() {
    assert_eq!(text(&["promote", "float32", "int32"]), "float64\n");
    assert_eq!(text(&["promote", "float32", "int32", "--rules", "non-precise"]), "float32\n");
    assert_eq!(text(&["promote", "i16", "u16", "half"]), text(&["promote", "half", "u16", "i16"]));
    assert_eq!(json(&["promote", "u8", "i8", "--json"])["result"], "int16");
}

#[test]
fn table_holds_every_pair() {
    for rules in ["precise", "non-precise", "array-api"] {
        let table = json(&["table", "--rules", rules, "--json"]);
        assert_eq!(table["rules"], rules);
        let names: Vec<&str> =
            table["dtypes"].as_array().unwrap().iter().map(|d| d.as_str().unwrap()).collect();
        assert_eq!((names.len(), names[0], names[14]), (15, "int8", "bool"));
        let rows = table["table"].as_array().unwrap();
        assert!(rows.len() == 15 && rows.iter().all(|r| r.as_array().unwrap().len() == 15));
        assert_eq!(rows[0][3], "int64");
        assert_eq!(rows[2][10].is_null(), rules == "array-api");
    }
    assert!(text(&["table"]).lines().count() >= 16);
    // Those of a framework have rows for its own dtypes too.
    let jax = json(&["table", "--rules", "jax", "--json"]);
    assert!(jax["dtypes"].as_array().unwrap().iter().any(|d| d == "float8_e4m3fn"));
}

#[test]
fn rule_sets_are_listed_compared_and_drawn() {
    let sets = json(&["rules", "--json"]);
    let names: Vec<&str> =
        sets["rules"].as_array().unwrap().iter().map(|r| r["name"].as_str().unwrap()).collect();
    assert_eq!(names, ivy::Rules::ALL.map(ivy::Rules::name));
    let torch = sets["rules"].as_array().unwrap().iter().find(|r| r["name"] == "torch").unwrap();
    assert_eq!((&torch["source"], &torch["version"]), (&"PyTorch".into(), &"2.13.0".into()));
    assert_eq!(
        (&torch["commutative"], &torch["dtypes"]),
        (&true.into(), &ivy::Rules::Torch.dtypes().count().into())
    );
    assert!(text(&["rules"]).lines().count() == ivy::Rules::ALL.len() + 1);
    let compared = json(&["table", "--compare", "torch", "numpy", "--json"]);
    let pairs = compared["pairs"].as_array().unwrap();
    let of = |a: &str, b: &str| pairs.iter().find(|p| p["dtypes"][0] == a && p["dtypes"][1] == b);
    let pair = of("int64", "float16").expect("they differ");
    assert_eq!((&pair["torch"], &pair["numpy"]), (&"float16".into(), &"float64".into()));
    assert!(of("int8", "int8").is_none() && of("float16", "int64").is_none());
    assert_eq!(text(&["table", "--compare", "jax", "jax"]).lines().count(), 1);
    let svg = text(&["table", "--rules", "torch", "--svg"]);
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    let file = std::env::temp_dir().join(format!("ivy-rules-{}.svg", std::process::id()));
    let named = file.to_str().unwrap();
    assert_eq!(text(&["table", "--rules", "torch", "--svg", named]), "");
    assert_eq!(std::fs::read_to_string(&file).unwrap().trim_end(), svg.trim_end());
    std::fs::remove_file(&file).unwrap();
    let nowhere = ivy(&["table", "--svg", "/no/such/folder/x.svg"]);
    assert!(
        nowhere.status.code() == Some(2)
            && String::from_utf8(nowhere.stderr).unwrap().contains("/no/such/folder")
    );
    assert!(svg.contains(">complex32<") && svg.contains("prefers-color-scheme"));
    assert_eq!(text(&["promote", "float8_e5m2", "int32", "--rules", "jax"]), "float8_e5m2\n");
    let refused = ivy(&["promote", "float8_e5m2", "float32", "--rules", "jax"]);
    assert_eq!(refused.status.code(), Some(2));
    let wrong = ivy(&["promote", "int8", "int8", "--rules", "troch"]);
    let line = String::from_utf8(wrong.stderr).unwrap();
    assert!(line.contains("did you mean torch?") && line.contains("drjit"), "{line}");
}

#[test]
fn frontends_declare_what_they_support() {
    let softmax = json(&["support", "softmax", "--frontend", "torch@2.2", "--json"]);
    assert_eq!(
        (&softmax["function"], &softmax["unsupported"][0]),
        (&"nn.functional.softmax".into(), &"float16".into())
    );
    assert!(
        softmax["row"].as_str().unwrap().starts_with("dtype-tables/support/declared/frontends/torch.tsv:")
    );
    assert!(text(&["support", "Tensor.softmax", "--frontend", "torch"]).contains("the torch frontend, 2.2"));
}

#[test]
fn explain_follows_a_framework() {
    assert!(
        text(&["explain", "add", "int64", "float16", "--rules", "torch"]).ends_with("result    float16\n")
    );
    let sum = json(&["explain", "sum", "int32", "--rules", "torch", "--json"]);
    assert_eq!((&sum["results"][0], &sum["category"]["category"]), (&"int64".into(), &"sum".into()));
    let zero = json(&["explain", "add", "int8", "int64[]", "--rules", "torch", "--json"]);
    assert_eq!(zero["results"][0], "int8");
    let weak = json(&["explain", "add", "int8", "float64*", "--rules", "jax", "--json"]);
    assert_eq!((&weak["results"][0], &weak["weak"]), (&"float64".into(), &Value::Bool(true)));
    let narrow = json(&["explain", "argmax", "float64", "--rules", "jax-x32", "--json"]);
    assert_eq!(narrow["results"][0], "int32");
    let refused = ivy(&["explain", "mean", "int32", "--rules", "torch"]);
    assert!(String::from_utf8(refused.stderr).unwrap().contains("rules/torch/categories.tsv"));
}

#[test]
fn backends_and_dtypes_are_listed() {
    let backends = json(&["backends", "--json"]);
    let names: Vec<&str> =
        backends["backends"].as_array().unwrap().iter().map(|b| b["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["ndarray", "candle", "jit", "jit:cuda", "torch"]);
    let dtypes = json(&["dtypes", "--backend", "candle", "--json"]);
    let bool_row = dtypes["dtypes"].as_array().unwrap().iter().find(|d| d["dtype"] == "bool").unwrap();
    assert_eq!((&bool_row["valid"], bool_row["storage"].as_str()), (&Value::Bool(true), Some("emulated")));
    assert!(text(&["dtypes"]).contains("bfloat16"));
}

#[test]
fn a_machine_without_a_cuda_driver_says_so() {
    let ask = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ivy"));
        command.args(arguments).env("IVY_CUDA", "/nowhere/libcuda.so.1").output().expect("the command runs")
    };
    let listed = ask(&["backends", "--json"]);
    let backends: Value = serde_json::from_slice(&listed.stdout).expect("JSON");
    let list = backends["backends"].as_array().unwrap();
    let cuda = list.iter().find(|b| b["name"] == "jit:cuda").unwrap();
    let reason = cuda["reason"].as_str().unwrap();
    assert_eq!((listed.status.code(), cuda["available"].as_bool()), (Some(0), Some(false)));
    for part in ["no CUDA driver was found", "/nowhere/libcuda.so.1", "Install NVIDIA's driver"] {
        assert!(reason.contains(part), "{reason}");
    }
    let refused = ask(&["explain", "add", "float32", "float32", "--backend", "jit:cuda:1"]);
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && told.contains("no CUDA driver was found"), "{told}");
}

#[test]
fn explain_tells_rule_casts_and_result() {
    let told = text(&["explain", "add", "float32", "int32"]);
    for part in ["precise table, row float32, column int32: float64", "x2: int32 -> float64", "native"] {
        assert!(told.contains(part), "{told}");
    }
    let plan = json(&["explain", "softmax", "int8", "--json", "--backend", "ndarray"]);
    assert_eq!((&plan["compute"], &plan["results"][0]), (&"float32".into(), &"float32".into()));
    assert_eq!(json(&["explain", "less", "uint8", "300", "--json"])["results"][0], "bool");
    assert_eq!(json(&["explain", "zeros", "--json"])["results"][0], "float32");
    assert_eq!(json(&["explain", "sum", "int8", "--dtype", "int64", "--json"])["results"][0], "int64");
}

#[test]
fn explain_traces_the_stages_of_a_call() {
    let told = text(&["explain", "add", "float32", "int32", "--trace"]);
    let stages: Vec<&str> = told.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let wanted = "operands backend plan domain promotion support casts execution";
    assert_eq!(stages, wanted.split(' ').collect::<Vec<_>>());
    let trace = json(&["explain", "softmax", "float32", "--trace", "--json", "--backend", "ndarray"]);
    assert!(trace["refused"].is_null());
    let events = trace["trace"].as_array().unwrap();
    assert!(events.iter().any(|e| e["depth"] == 1 && e["function"] == "exp" && e["stage"] == "execution"));
}

#[test]
fn support_and_explain_answer_for_other_versions() {
    let support = json(&["support", "expm1", "--backend", "torch@2.0.1", "--json"]);
    assert_eq!(support["unsupported"].as_array().unwrap().len(), 6);
    let half = support["dtypes"].as_array().unwrap().iter().find(|d| d["dtype"] == "float16").unwrap();
    assert_eq!(half["state"], "refused");
    assert!(half["row"].as_str().unwrap().contains("declared/torch.tsv:"), "{half}");
    assert!(text(&["support", "softmax", "--backend", "candle"]).contains("measured/candle@"));
    let gpu = ["support", "expm1", "--backend", "torch@2.0.1", "--device", "cuda:0", "--json"];
    assert_eq!(json(&gpu)["device"], "cuda:0");
    for (modes, result) in [("upcast", "float32"), ("downcast", "bfloat16"), ("all", "float32")] {
        let arguments =
            ["explain", "expm1", "float16", "--backend", "torch@2.0.1", "--cast", modes, "--json"];
        let plan = json(&arguments);
        assert_eq!(
            (&plan["results"][0], &plan["operands"][0]["mode"]["dtype"]),
            (&result.into(), &result.into())
        );
    }
    let told =
        text(&["explain", "lcm", "float16", "float16", "--backend", "torch@2.0.1", "--cast", "crosscast"]);
    assert!(told.contains("x1: float16 -> int32 (crosscast)"), "{told}");
}

#[test]
fn probe_measures_what_is_committed() {
    let backends = json(&["backends", "--json"]);
    let available = |b: &&Value| b["available"] == Value::Bool(true);
    for backend in backends["backends"].as_array().unwrap().iter().filter(available) {
        let backend = backend["name"].as_str().unwrap();
        // Whole tables are measured by the library's tests, in one process.
        let some = ["--function", "lcm", "--function", "sort", "--function", "softmax"];
        let arguments = ["probe", "--backend", backend, "--check", "--json"];
        let found = json(&arguments.iter().chain(&some).copied().collect::<Vec<_>>());
        assert_eq!(found["differences"].as_array().unwrap().len(), 0, "{found}");
        assert_eq!(found["rows"], 45);
    }
    let one = text(&["probe", "--backend", "ndarray", "--function", "lcm"]);
    assert!(
        one.contains("lcm\tint8\tnative\tint8\t-\n") && one.contains("lcm\tfloat16\trefused\t-\t"),
        "{one}"
    );
}

#[test]
fn lint_passes_the_projects_tables_and_names_file_line_and_key() {
    let own = json(&["lint", "--json"]);
    assert_eq!((&own["errors"], &own["warnings"]), (&0.into(), &0.into()), "{own}");
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("slate.tsv");
    let rows = [
        "functions\tform\tdevices\tversions\tdtypes\toverride",
        "exp\tunsupported\tall\t1.0 and abve\tfloat16\t-",
        "exq\tunsupported\tall\t1.0 and above\tfloat17\t-",
    ];
    std::fs::write(&bad, rows.join("\n")).unwrap();
    let output = ivy(&["lint", bad.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let lines = String::from_utf8(output.stdout).unwrap();
    let place = |line: usize, key: &str| format!("slate.tsv:{line}: error: {key}: ");
    assert!(lines.contains(&place(2, "1.0 and abve")) && lines.contains(&place(3, "float17")), "{lines}");
}

#[test]
fn parts_of_conformance_are_the_whole() {
    let cells = |more: &[&str]| {
        let asked = ["conformance", "--backend", "ndarray", "--function", "exp", "--function", "abs"];
        let arguments: Vec<&str> = asked.iter().chain(more).copied().collect();
        json(&arguments)["cells"].as_array().unwrap().clone()
    };
    let [first, second] = ["1/2", "2/2"].map(|part| cells(&["--part", part, "--json"]));
    assert!(first.iter().all(|cell| cell["function"] == "exp") && !first.is_empty());
    assert!(second.iter().all(|cell| cell["function"] == "abs") && !second.is_empty());
    // A file of the name - is standard output.
    assert_eq!(cells(&["--json", "-"]).len(), first.len() + second.len());
    assert!(!std::path::Path::new("-").exists());
}

#[test]
fn bad_input_is_one_line_and_status_2() {
    let bad: &[&[&str]] = &[
        &["promote", "float32", "flaot32"],
        &["promote", "float32"],
        &["promote", "int8", "float32", "--rules", "array-api"],
        &["table", "--rules", "nunpy"],
        &["table", "--compare", "torch"],
        &["table", "--compare", "torch", "nunpy"],
        &["dtypes", "--backend", "nowhere"],
        &["explain", "add", "float32"],
        &["explain", "add", "float32", "float32", "float32"],
        &["explain", "negative", "bool"],
        &["explain", "no_such_function", "bool"],
        &["conformance", "--backend", "nowhere"],
        &["conformance", "--part", "0/2"],
        &["conformance", "--backend", "ndarray", "--function", "exp", "--part", "2/2"],
        &["explain", "exp", "float32", "--cast", "sidecast"],
        &["explain", "add", "float32", "int8", "--strict"],
        &["support", "no_such_function"],
        &["support", "exp", "--backend", "torch@two"],
        &["support", "softmax", "--frontend", "torch@two"],
        &["support", "softmax", "--frontend", "abacus"],
        &["support", "no_such_function", "--frontend", "torch"],
        &["support", "exp", "--backend", "torch:cpu@2.0", "--device", "cuda"],
        &["probe", "--backend", "torch@2.0.1"],
        &["lint", "no such file.tsv"],
        &["no-such-command"],
        &[],
    ];
    for arguments in bad {
        let output = ivy(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let line = String::from_utf8(output.stderr).unwrap();
        assert!(line.starts_with("ivy: ") && line.lines().count() == 1, "{arguments:?}: {line}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        let with_json: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
        let output = ivy(&with_json);
        assert_eq!(output.status.code(), Some(2), "{with_json:?}");
        let error: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{with_json:?}: {e}"));
        assert!(error["error"]["kind"].is_string() && error["error"]["message"].is_string());
    }
}

#[test]
fn help_and_version_are_answers() {
    assert!(text(&["--help"]).contains("promote"));
    assert!(text(&["promote", "--help"]).contains("--rules"));
    assert!(text(&["--version"]).starts_with("ivy "));
}

/// The names of plain functions of the library, each of which must be one for this to compile.
macro_rules! plain_functions {
    ($($name:ident)*) => {{
        #[allow(unused_imports)]
        use ivy::{$($name as _),*};
        vec![$(stringify!($name)),*]
    }};
}

#[test]
fn the_table_of_ivys_functions_says_where_they_are() {
    use ivy::support::tables::{Place, surface};
    let of = |place| surface().iter().filter(move |row| row.place == place).map(|row| row.function);
    let mut plain = plain_functions!(
        as_ivy_dev as_native_dev associative_scan default_device dev execute_with_gradients for_loop get_item
        grad if_else index_nest inplace_update is_array jvp nested_argwhere nested_map
        num_gpus seed set_default_device set_item set_nest_at_index shape stop_gradient
        to_list to_scalar value_and_grad vjp vmap while_loop
    );
    plain.sort_unstable();
    assert_eq!(of(Place::Rust).collect::<Vec<_>>(), plain);
    // What is there in Python alone is tested there.
    assert_eq!(of(Place::Python).collect::<Vec<_>>(), ["to_numpy"]);
    for name in plain {
        assert!(ivy::function::find_function(name).is_err(), "{name} is registered");
    }
}

#[test]
fn functions_are_listed_by_chapter() {
    let all = json(&["functions", "--json"]);
    let all = all["functions"].as_array().unwrap();
    assert_eq!(all.len(), ivy::function::functions().len());
    let add = all.iter().find(|f| f["name"] == "add").unwrap();
    assert_eq!((&add["category"], &add["kind"]), (&"elementwise".into(), &"primary".into()));
    assert!(add["domain"]["x1"].as_array().unwrap().contains(&"float32".into()));
    let chapter = json(&["functions", "--category", "linear_algebra", "--json"]);
    let chapter = chapter["functions"].as_array().unwrap();
    assert!(chapter.iter().any(|f| f["name"] == "matmul") && chapter.len() < all.len());
    assert!(text(&["functions"]).lines().count() == all.len() + 1);

    let composed = json(&["functions", "--composed", "ndarray", "--json"]);
    let composed = composed["functions"].as_array().unwrap();
    assert!(composed.len() < all.len() && composed.iter().all(|f| f["kind"] != "primary"));
    assert!(composed.iter().any(|f| f["kind"] == "compositional"));

    for wrong in [&["functions", "--category", "magic"][..], &["functions", "--composed", "abacus"]] {
        assert_eq!(ivy(wrong).status.code(), Some(2));
    }
}

#[test]
fn missing_functions_are_those_that_the_registry_lacks() {
    let missing = json(&["functions", "--missing", "--json"]);
    for row in ivy::support::tables::surface() {
        let listed = missing["missing"].as_array().unwrap().iter().any(|f| f["name"] == row.function);
        let place = row.place == ivy::support::tables::Place::Registry;
        let absent = place && ivy::function::find_function(row.function).is_err();
        assert_eq!(listed, absent, "{}", row.function);
    }
    let gradients = text(&["functions", "--missing", "--category", "gradients"]);
    assert!(gradients.lines().all(|line| line.starts_with("gradients\t")));
}

#[test]
fn a_frontend_lists_its_functions_and_those_that_it_lacks() {
    let listed = json(&["functions", "--frontend", "torch", "--json"]);
    assert_eq!((&listed["frontend"], &listed["rules"]), (&Value::from("torch"), &Value::from("torch")));
    let functions = listed["functions"].as_array().unwrap();
    let add = functions.iter().find(|f| f["name"] == "add").expect("torch.add is there");
    assert_eq!(add["signature"], "input, other, *, alpha=1, out=None");
    let operators = listed["counts"]["operator"].as_u64().unwrap();
    assert_eq!(listed["total"].as_u64().unwrap() + operators, functions.len() as u64);
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "# names\nadd\nno_such_function\n").unwrap();
    let path = file.path().to_str().unwrap();
    assert_eq!(text(&["functions", "--frontend", "torch", "--missing-from", path]), "no_such_function\n");
    let unknown = ivy(&["functions", "--frontend", "tnesorflow"]);
    assert_eq!(unknown.status.code(), Some(2));
    let told = String::from_utf8(unknown.stderr).unwrap();
    assert!(ivy::frontends::ALL.iter().all(|f| told.contains(f.name())), "{told}");
}

#[test]
fn explain_asks_of_a_frontends_function_under_the_rules_of_its_version() {
    let asked = |function: &str, frontend: &str| {
        json(&["explain", function, "int8", "int64[]", "--frontend", frontend, "--json"])["rules"].clone()
    };
    assert_eq!(asked("add", "numpy@1.26"), "numpy-1.26");
    assert_eq!(asked("add", "torch"), "torch");
    for wrong in [["add", "numpy@9"], ["add", "mxnet"], ["sequence", "numpy"], ["array", "numpy"]] {
        let refused = ivy(&["explain", wrong[0], "int8", "--frontend", wrong[1]]);
        assert_eq!(refused.status.code(), Some(2), "{wrong:?}");
    }
}
