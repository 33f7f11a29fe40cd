//! The command line `ivy`: ask which dtype comes out and why, what backends hold, and whether
//! they conform.

mod ask;
mod conformance;
mod frontends;
mod functions;
mod lint;
mod output;
mod probe;
mod rules;
mod spec;
mod support;
mod ulp;

use clap::{Parser, Subcommand};
use output::{Failure, Output};
use std::process::ExitCode;

/// Ask which dtype comes out and why, what backends hold, and whether they conform.
///
/// Exit status: 0 answered, 1 a check failed, 2 bad or refused input.
#[derive(Parser)]
#[command(name = "ivy", version, about, long_about, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// What every question takes.
#[derive(clap::Args)]
struct Json {
    /// Print JSON for programs; an error is then a JSON object as well
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum Command {
    /// List the backends: name, version, devices, and what to install for those that are missing
    Backends {
        #[command(flatten)]
        json: Json,
    },
    /// List the dtypes of a backend: valid or not, its own names, and how it stores them
    Dtypes {
        /// The backend, as BACKEND[:PLACE][@VERSION]
        #[arg(long, value_name = "B")]
        backend: Option<String>,
        #[command(flatten)]
        json: Json,
    },
    /// Print the dtype that two or more dtypes promote to
    Promote {
        /// Dtypes, such as float32 or i8
        #[arg(required = true, num_args = 2.., value_name = "DTYPE")]
        dtypes: Vec<String>,
        /// A set of rules (`ivy rules`)
        #[arg(long, default_value = "precise")]
        rules: String,
        #[command(flatten)]
        json: Json,
    },
    /// List the sets of rules: whose answers they give, how many dtypes they have, which laws they follow
    Rules {
        #[command(flatten)]
        json: Json,
    },
    /// Print a whole promotion table (rows are the first operand), what two differ in, or a drawing
    Table(rules::Table),
    /// Say what a call would do: the rule, the casts, the dtype computed in, how it runs, the result
    Explain {
        /// The function, such as add or softmax
        function: String,
        /// A dtype for each array operand (int32[]: without axes, int32*: weakly typed), or a number for a host scalar
        #[arg(value_name = "DTYPE", allow_negative_numbers = true)]
        operands: Vec<String>,
        /// The backend, as BACKEND[:PLACE][@VERSION]; another version than the installed one answers by the tables
        #[arg(long, value_name = "B")]
        backend: Option<String>,
        /// A set of rules (`ivy rules`)
        #[arg(long, default_value = "precise")]
        rules: String,
        /// Ask of a frontend's function under its rules: numpy, torch, jax, tensorflow or paddle, as NAME[@VERSION]
        #[arg(long, value_name = "NAME", conflicts_with = "rules")]
        frontend: Option<String>,
        /// Casting modes that are on: upcast, downcast, crosscast or all, joined by commas
        #[arg(long, value_name = "MODES", default_value = "none")]
        cast: String,
        /// Ask with implicit casts forbidden
        #[arg(long)]
        strict: bool,
        /// The `dtype=` argument of the call
        #[arg(long, value_name = "DTYPE")]
        dtype: Option<String>,
        /// Ask with emulation and host fall-backs forbidden
        #[arg(long)]
        no_emulation: bool,
        /// List the stages that the call goes through, in order, with those of the calls below a composition
        #[arg(long)]
        trace: bool,
        #[command(flatten)]
        json: Json,
    },
    /// List the functions by chapter, with kind and domain, or those of Ivy's that are missing
    Functions(functions::Options),
    /// List the dtypes that a function supports, emulates and refuses, with the table row that says so
    Support(support::Options),
    /// Measure what a backend does with every function and dtype, one guarded process a function
    Probe(probe::Options),
    /// Check the support tables: overlaps, keys that cannot be reached, unknown names, both forms
    Lint(lint::Options),
    /// List the rows of a frontend's specification: what each is, its tests, its state
    Spec(spec::Options),
    /// Measure the errors of elementary functions in units in the last place
    Ulp(ulp::Options),
    /// Run the conformance check of every function, dtype combination and backend
    Conformance(conformance::Options),
}

fn run(arguments: Arguments, output: &Output) -> Result<ExitCode, Failure> {
    match arguments.command {
        Command::Backends { .. } => ask::backends(output),
        Command::Dtypes { backend, .. } => ask::dtypes(output, backend.as_deref()),
        Command::Promote { dtypes, rules, .. } => rules::promote(output, &dtypes, &rules),
        Command::Rules { .. } => rules::list(output),
        Command::Table(question) => rules::table(output, &question),
        Command::Explain {
            function,
            operands,
            backend,
            rules,
            frontend,
            cast,
            strict,
            dtype,
            no_emulation,
            trace,
            ..
        } => {
            let emulation = !no_emulation;
            let (rules, function) = match frontend {
                Some(frontend) => frontends::asked_of(&frontend, &function)?,
                None => (rules.parse()?, function),
            };
            let question =
                ask::Explain { function, operands, backend, rules, cast, strict, dtype, emulation, trace };
            ask::explain(output, &question)
        }
        Command::Functions(options) => functions::run(output, &options),
        Command::Support(options) => support::run(output, &options),
        Command::Probe(options) => probe::run(output, &options),
        Command::Lint(options) => lint::run(output, &options),
        Command::Conformance(options) => conformance::run(output, &options),
        Command::Spec(options) => spec::run(output, &options),
        Command::Ulp(options) => ulp::run(output, &options),
    }
}

fn main() -> ExitCode {
    // Asked for before parsing, so that an error of parsing is printed the right way too.
    let json = std::env::args().any(|a| a == "--json" || a.starts_with("--json="));
    let output = Output::new(json);
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return output.refuse_usage(&error),
    };
    match run(arguments, &output) {
        Ok(code) => code,
        Err(failure) => output.refuse(&failure),
    }
}
