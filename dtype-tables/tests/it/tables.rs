//! Reading tables: what they mean, and the exact text of every error.

use ivy_dtype_tables::{
    support::{
        Answer, Device, Form, How, SupportBlock, Table, Version, dtype_names, dtype_set, parse_bugs,
        parse_table, parse_valid,
    },
    support_block,
};
use proptest::prelude::*;

const HEADER: &str = "functions\tform\tdevices\tversions\tdtypes\toverride\n";

fn table(rows: &str) -> Table {
    parse_table("mine.tsv", &format!("{HEADER}{rows}")).unwrap_or_else(|e| panic!("{}", text(&e)))
}

fn text(errors: &[impl ToString]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn errors(rows: &str) -> String {
    text(&parse_table("mine.tsv", &format!("{HEADER}{rows}")).expect_err("errors"))
}

fn ask<'t>(table: &'t Table, function: &str, device: Device, version: &str) -> Answer<'t> {
    table.lookup(function, device, &version.parse::<Version>().unwrap()).expect("a row")
}

#[test]
fn classes_expand() {
    for (class, count) in
        [("valid", 15), ("numeric", 14), ("float", 4), ("integer", 8), ("unsigned", 4), ("complex", 2)]
    {
        assert_eq!(dtype_set(class).unwrap().count_ones(), count, "{class}");
    }
    let t = table("f\tunsupported\tall\t1 and above\tunsigned,bfloat16\t-\n");
    assert_eq!(dtype_names(t.rows()[0].dtypes), ["uint8", "uint16", "uint32", "uint64", "bfloat16"]);
    assert_eq!(t.rows()[0].written, "unsigned,bfloat16");
}

#[test]
fn all_forms_of_a_row() {
    let t = table(
        "# a comment\n\
         a, b\tunsupported\tcpu,gpu\t1.0 to 1.9\tfloat16, complex\tyes\n\
         \n\
         @block\tc,d\n\
         *\tsupported\tall\t2.2\tvalid\t-\n\
         *\tsupported\tcpu\t2.2 and above\t-\t-\n\
         e\tsupported\ttpu\t2.2 and below\tbool\t-\n\
         @end\n",
    );
    assert_eq!((t.file.as_str(), t.backend.as_str()), ("mine.tsv", "mine"));
    let lines: Vec<(usize, usize)> = t.rows().iter().map(|r| (r.line, r.functions.len())).collect();
    assert_eq!(lines, [(3, 2), (6, 2), (7, 2), (8, 1)]);
    assert_eq!(t.functions().collect::<Vec<_>>(), ["a", "b", "c", "d", "e"]);
    assert_eq!(t.rows_of("d").map(|r| r.line).collect::<Vec<_>>(), [6, 7]);
    assert_eq!(t.rows_of("z").count(), 0);
    let keys: Vec<String> = t.rows().iter().map(|r| r.versions.to_string()).collect();
    assert_eq!(keys, ["1.0 to 1.9", "2.2", "2.2 and above", "2.2 and below"]);
    assert_eq!(t.rows().iter().map(|r| r.overrides).collect::<Vec<_>>(), [true, false, false, false]);
    assert_eq!(t.rows()[2].dtypes, 0);
    let named = parse_table("some/file.tsv", &format!("# backend: other\n{HEADER}")).unwrap();
    assert_eq!((named.backend.as_str(), named.rows().len()), ("other", 0));
}

#[test]
fn a_question_takes_the_version_first_and_then_the_device() {
    let t = table(
        "f\tunsupported\tcpu\t2.0 and below\tfloat16\t-\n\
         f\tunsupported\tgpu\t2.0 and below\tcomplex\t-\n\
         f\tunsupported\tcpu\t2.2 and below\tbool\t-\n\
         g\tsupported\tcpu\t1.0 and above\tfloat\t-\n",
    );
    let valid = dtype_set("valid").unwrap();
    let a = ask(&t, "f", Device::Gpu, "1.9");
    assert_eq!((a.row.line, a.dtypes, a.how), (3, dtype_set("complex").unwrap(), How::Range));
    assert_eq!(a.supported(valid), valid & !dtype_set("complex").unwrap());
    // The key of 2.2 has no row about the graphics card: all works there.
    let a = ask(&t, "f", Device::Gpu, "2.1");
    assert_eq!((a.row.line, a.dtypes, a.supported(valid)), (4, 0, valid));
    let a = ask(&t, "f", Device::Cpu, "3.0");
    assert_eq!((a.row.line, a.how), (4, How::LastKey { older: true }));
    // A list of what works works on the devices that it names, and nowhere else.
    let a = ask(&t, "g", Device::Tpu, "1.0");
    assert_eq!((a.form, a.row.line, a.supported(valid)), (Form::Supported, 5, 0));
    let a = ask(&t, "g", Device::Cpu, "1.0");
    assert_eq!(a.supported(dtype_set("float32").unwrap() | 1), dtype_set("float32").unwrap());
    assert!(t.lookup("h", Device::Cpu, &"1.0".parse().unwrap()).is_none());
}

#[test]
fn rows_of_one_key_and_device_add_up() {
    let t = table(
        "f\tunsupported\tall\t2.2 and below\tfloat16\t-\n\
         f\tunsupported\tcpu\t2.2 and below\tcomplex\t-\n",
    );
    assert_eq!(dtype_names(ask(&t, "f", Device::Cpu, "2").dtypes), ["float16", "complex64", "complex128"]);
    assert_eq!(dtype_names(ask(&t, "f", Device::Gpu, "2").dtypes), ["float16"]);
}

#[test]
fn errors_name_file_line_and_key() {
    assert_eq!(
        errors(
            "f\tunsupported\tall\t2.2 and bellow\tfloat16\t-\n\
             f\tunsupported\tall\t2.x and below\tfloat16\t-\n\
             f\tunsupported\tall\t2.2 to 1.0\tfloat16\t-\n\
             f\tunsupported\tall\t2.2 and below\tbflaot16,float32,float32\t-\n\
             f\tunsupported\tcuda,cpu,all\t2.2 and below\tfloat16\t-\n\
             f\tunsuported\tall\t2.2 and below\tfloat16\t-\n\
             f\tunsupported\tall\t2.2 and below\tfloat16\tno\n\
             f,f,9f,a b,\tunsupported\tall\t2.2 and below\tfloat16\t-\n\
             *\tunsupported\tall\t2.2 and below\tfloat16\t-\n\
             f\tunsupported\tall\t2.2 and below\tfloat16\n\
             @block\n\
             @end\n\
             @bloc\tf\n"
        ),
        "\
mine.tsv:11: f: 5 cells, 6 columns
mine.tsv:2: 2.2 and bellow: expected `X`, `X and above`, `X and below` or `X to Y`
mine.tsv:3: 2.x and below: `2.x` is no version: a, b, rc, post or dev with a number, or +BUILD, may follow the numbers
mine.tsv:4: 2.2 to 1.0: the range ends before it begins
mine.tsv:5: bflaot16: is neither a dtype nor one of the classes valid numeric float integer unsigned complex
mine.tsv:5: float32: is listed twice
mine.tsv:6: cuda: is no device; expected cpu, gpu, tpu or all
mine.tsv:6: all: names a device twice
mine.tsv:7: unsuported: expected `supported` or `unsupported`
mine.tsv:8: no: expected `yes` or `-`
mine.tsv:9: f: is named twice
mine.tsv:9: 9f: is no function name
mine.tsv:9: a b: is no function name
mine.tsv:9: (empty): is no function name
mine.tsv:10: *: stands for a block, and there is none
mine.tsv:12: @block: expected `@block`, a tab and names, or `@end` of a block
mine.tsv:13: @end: expected `@block`, a tab and names, or `@end` of a block
mine.tsv:14: @bloc: expected `@block`, a tab and names, or `@end` of a block"
    );
    assert_eq!(
        errors("f\tunsupported\tall\t2.2\tfloat16\t-\ng,f\tsupported\tgpu\t1.0\tfloat16\t-\n"),
        "mine.tsv:3: f: supported here and unsupported at mine.tsv:2; a function has one form"
    );
    let layout = |text: &str| self::text(&parse_table("t.tsv", text).unwrap_err());
    let header = "expected the header `functions form devices versions dtypes override`";
    assert_eq!(layout(""), format!("t.tsv:1: (empty): {header}"));
    assert_eq!(
        layout("# x\nform\tfunctions\n"),
        format!("t.tsv:2: form functions: {header}, separated by tabs")
    );
}

#[test]
fn other_tables_name_file_line_and_key_too() {
    let valid = "backend\tversions\tdtypes\ntorch\t2.2 or below\tfloat32\ntorch\t2.2\tfloat23\n";
    assert_eq!(
        text(&parse_valid("v.tsv", valid).unwrap_err()),
        "v.tsv:2: 2.2 or below: expected `X`, `X and above`, `X and below` or `X to Y`\n\
         v.tsv:3: float23: is neither a dtype nor one of the classes valid numeric float integer unsigned complex"
    );
    let head = "backend\tversion\tfunctions\tdtypes\twhat\treproduction\tupstream\n";
    let bugs = format!("{head}torch\t2.13.0\tpow,sort\tinteger\twrong\tpow(2, 3)\thttps://example.org/1\n");
    let bug = &parse_bugs("b.tsv", &bugs).unwrap()[0];
    assert_eq!((bug.functions.len(), bug.upstream.as_deref()), (2, Some("https://example.org/1")));
    assert_eq!(
        text(&parse_bugs("b.tsv", &format!("{head}torch\tnew\tpow\tint8\t-\t\t-\n")).unwrap_err()),
        "b.tsv:2: new: `new` is no version: it begins with numbers joined by dots\n\
         b.tsv:2: -: a bug has a `what`\n\
         b.tsv:2: (empty): a bug has a `reproduction`"
    );
}

#[test]
fn blocks_in_code_are_tables() {
    const BLOCKS: &[SupportBlock] = &[
        support_block!("mine": expm1, where; unsupported {
            "cpu", "1.0 to 1.9": ["float16", "complex"];
            "all", "2.0 and above": [];
        }),
        support_block!("mine": lcm; override supported { "cpu,gpu", "1.0 and above": ["integer"] }),
    ];
    let t = Table::from_blocks("mine", BLOCKS).unwrap();
    assert_eq!(t.file, "code of mine");
    let rows: Vec<String> = t
        .rows()
        .iter()
        .map(|r| {
            let functions = r.functions.join(" ");
            format!(
                "{} {functions} {} {} {} {} {}",
                r.line, r.form, r.devices, r.versions, r.written, r.overrides
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            "1 expm1 where unsupported cpu 1.0 to 1.9 float16,complex false",
            "1 expm1 where unsupported all 2.0 and above - false",
            "2 lcm supported cpu,gpu 1.0 and above integer true",
        ]
    );
    let wrong = [
        support_block!("other": lcm; supported { "cuda", "1.0 or so": ["int"] }),
        support_block!("mine": lcm; unsupported { "all", "1.0": ["float"] }),
        support_block!("mine": lcm; supported { "all", "1.0": ["int8"] }),
    ];
    assert_eq!(
        text(&Table::from_blocks("mine", &wrong).unwrap_err()),
        "code of mine:1: other: is not `mine`\n\
         code of mine:1: cuda: is no device; expected cpu, gpu, tpu or all\n\
         code of mine:1: int: is neither a dtype nor one of the classes valid numeric float integer unsigned complex\n\
         code of mine:1: 1.0 or so: expected `X`, `X and above`, `X and below` or `X to Y`\n\
         code of mine:3: lcm: supported here and unsupported at code of mine:2; a function has one form"
    );
}

proptest! {
    #[test]
    fn any_text_is_a_table_or_an_error(
        cells in prop::collection::vec(prop::sample::select(vec![
            "f", "f,g", "*", "@block", "@end", "supported", "unsupported", "all", "cpu", "2.2", "1 to 2", "float16",
            "-", "yes", "", "#", "\n",
        ]), 0..60),
        raw in any::<String>(),
    ) {
        for text in [format!("{HEADER}{}", cells.join("\t")), raw] {
            if let Err(errors) = parse_table("t.tsv", &text) {
                prop_assert!(!errors.is_empty());
                prop_assert!(errors.iter().all(|e| e.line <= text.lines().count().max(1)));
            }
        }
    }
}
