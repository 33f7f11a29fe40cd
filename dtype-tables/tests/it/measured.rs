//! Measured tables: round trip, errors, comparison; and what is embedded of them and of bugs.

use ivy_dtype_tables::{
    COUNT, DTYPES,
    support::{MeasuredRow, MeasuredTable, State, bugs, bugs_file, measured, measured_files, parse_bugs},
};
use proptest::prelude::*;

const HEAD: &str = "# backend: torch\n# version: 2.13.0\n# crate: tch 0.26.0\n# cpu: x86_64 avx2\n\
                    function\tdtype\tstate\tresult\thow\n";

fn text(errors: &[impl ToString]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn parse(rows: &str) -> MeasuredTable {
    MeasuredTable::parse("m.tsv", &format!("{HEAD}{rows}")).unwrap_or_else(|e| panic!("{}", text(&e)))
}

const ROWS: &str = "frexp\tfloat32\tnative\tfloat32,int32\t-\n\
                    lcm\tint8\temulated\tint8\tin int64, then narrowed\n\
                    lcm\tfloat16\trefused\t-\toutside the domain\n\
                    lcm\tbool\thost\tbool\t-\n";

#[test]
fn rows_are_read_found_and_written_back() {
    let table = parse(ROWS);
    assert_eq!((table.backend.as_str(), table.version.as_str()), ("torch", "2.13.0"));
    assert_eq!((table.krate.as_str(), table.cpu.as_str()), ("tch 0.26.0", "x86_64 avx2"));
    assert_eq!(table.write(), format!("{HEAD}{ROWS}"));
    let row = table.lookup("lcm", "float16").unwrap();
    assert_eq!((row.line, row.state, row.state.runs()), (8, State::Refused, false));
    assert_eq!(row.how.as_deref(), Some("outside the domain"));
    assert_eq!(table.lookup("frexp", "float32").unwrap().result, ["float32", "int32"]);
    assert!(table.lookup("lcm", "float32").is_none() && table.lookup("lcm", "decimal").is_none());
}

#[test]
fn errors_name_file_line_and_key() {
    let errors = |text: &str| self::text(&MeasuredTable::parse("m.tsv", text).unwrap_err());
    assert_eq!(
        errors(&format!(
            "{HEAD}a\tfloat23\tnative\tfloat32\t-\na\tint8\tfast\tint8\t-\nb\tint8\tnative\tint7,int8\t-\n\
             c\tint8\tnative\t-\nb\tint8\tnative\tint8\t-\nb\tint8\tnative\tint8\t-\na\tbool\tnative\tbool\t-\n"
        )),
        "m.tsv:9: c: 4 cells, 5 columns\n\
         m.tsv:6: float23: is no dtype\n\
         m.tsv:7: fast: is no state; expected one of native, composed, emulated, host, refused\n\
         m.tsv:8: int7: is no dtype\n\
         m.tsv:11: b int8: comes after a row that it should precede, or twice\n\
         m.tsv:12: a bool: comes after a row that it should precede, or twice"
    );
    assert_eq!(
        errors("# backend: torch\n# cpu: x\nfunction\tdtype\tstate\tresult\thow\n"),
        "m.tsv:1: version: expected a comment `# version: ...`\nm.tsv:1: crate: expected a comment `# crate: ...`"
    );
    let row = || MeasuredRow::new("a", "int8", State::Native, &[], None).unwrap();
    assert_eq!(
        text(&MeasuredTable::new("m.tsv", ["b", "1", "c", "-"], vec![row(), row()]).unwrap_err()),
        "m.tsv:7: a int8: has a second row"
    );
    assert!(MeasuredRow::new("a", "int7", State::Native, &[], None).is_none());
    assert!(MeasuredRow::new("a", "int8", State::Native, &["int7"], None).is_none());
}

#[test]
fn comparison_reads_well() {
    let table = parse(ROWS);
    let other = ROWS
        .replace("emulated\tint8\tin int64, then narrowed", "native\tint8\t-")
        .replace("host\tbool", "refused\t-")
        .replace("frexp\tfloat32", "frexp\tfloat64");
    let differences = |a: &MeasuredTable, b: &MeasuredTable| {
        a.compare(b).iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        differences(&table, &parse(&other)),
        [
            "frexp float32: native float32,int32 -> absent",
            "frexp float64: absent -> native float32,int32",
            "lcm int8: emulated int8 (in int64, then narrowed) -> native int8",
            "lcm bool: host bool -> refused -",
        ]
    );
    // On another processor only what runs and its dtypes are compared.
    let mut elsewhere = parse(&other);
    elsewhere.cpu = "aarch64 neon".into();
    assert_eq!(
        differences(&table, &elsewhere),
        [
            "frexp float32: native float32,int32 -> absent",
            "frexp float64: absent -> native float32,int32",
            "lcm bool: host bool -> refused -",
        ]
    );
}

#[test]
fn embedded_files_read_and_answer() {
    for (backend, version, file, text) in measured_files() {
        let table = MeasuredTable::parse(file, text).unwrap_or_else(|e| panic!("{}", self::text(&e)));
        assert_eq!((table.backend.as_str(), table.version.as_str()), (*backend, *version), "{file}");
        assert_eq!(measured(backend, version), Some(&table));
        assert_eq!(measured(backend, &format!("{version}+build")), Some(&table));
    }
    if let Some((file, text)) = bugs_file() {
        for bug in parse_bugs(file, text).unwrap_or_else(|e| panic!("{}", self::text(&e))) {
            let (ivy_dtype_tables::support::VersionKey::Exact(version)
            | ivy_dtype_tables::support::VersionKey::Above(version)
            | ivy_dtype_tables::support::VersionKey::Below(version)
            | ivy_dtype_tables::support::VersionKey::Range(version, _)) = &bug.versions;
            assert!(bugs(&bug.backend, version).any(|b| *b == bug), "{file}:{}", bug.line);
        }
    }
    assert_eq!(bugs("abacus", &"1.0".parse().unwrap()).count(), 0);
    assert_eq!(measured("abacus", "not a version"), None);
}

fn any_row() -> impl Strategy<Value = MeasuredRow> {
    let names: Vec<&'static str> = DTYPES[..COUNT].iter().map(|d| d.name).collect();
    let state = prop::sample::select(State::ALL.to_vec());
    let result = prop::collection::vec(prop::sample::select(names.clone()), 0..3);
    let how = prop::option::of("[a-z,\t\n-]{0,12}");
    ("[a-c]{1,2}", prop::sample::select(names), state, result, how).prop_map(
        |(function, dtype, state, result, how)| {
            MeasuredRow::new(&function, dtype, state, &result, how.as_deref()).unwrap()
        },
    )
}

proptest! {
    #[test]
    fn writing_and_reading_gives_the_same(rows in prop::collection::vec(any_row(), 0..12)) {
        if let Ok(table) = MeasuredTable::new("m.tsv", ["b", "1.0", "c 1", "x86_64"], rows) {
            let again = MeasuredTable::parse("m.tsv", &table.write());
            prop_assert_eq!(again.as_ref(), Ok(&table));
            prop_assert!(table.compare(&again.unwrap()).is_empty());
            for row in table.rows() {
                prop_assert_eq!(table.lookup(&row.function, row.dtype), Some(row));
            }
        }
    }
}
