//! What the command prints: text with colours on a terminal only, or JSON.

use serde_json::{Value, json};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Why a command gave no answer.
pub enum Failure {
    /// The library refused.
    Ivy(ivy::Error),
    /// Standard output is closed: nobody reads on, which is no error.
    Closed,
    /// Standard output failed.
    Output(std::io::Error),
    /// A file that was to be written failed.
    File(PathBuf, std::io::Error),
}

impl From<ivy::Error> for Failure {
    fn from(error: ivy::Error) -> Failure {
        Failure::Ivy(error)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Output(error),
        }
    }
}

/// Where answers go, and how.
pub struct Output {
    json: bool,
    colours: bool,
}

/// Colours by meaning.
#[derive(Clone, Copy)]
pub enum Style {
    Heading,
    Good,
    Bad,
    Faint,
}

impl Output {
    pub fn new(json: bool) -> Output {
        let colours = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        Output { json, colours }
    }

    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Text in a style, if the output is a terminal.
    pub fn paint(&self, style: Style, text: &str) -> String {
        if !self.colours {
            return text.into();
        }
        let code = match style {
            Style::Heading => "1",
            Style::Good => "32",
            Style::Bad => "31",
            Style::Faint => "2",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }

    /// Prints lines of text.
    pub fn text(&self, text: &str) -> Result<(), Failure> {
        let mut out = std::io::stdout().lock();
        writeln!(out, "{text}")?;
        Ok(out.flush()?)
    }

    /// Prints a JSON value.
    pub fn json(&self, value: &Value) -> Result<(), Failure> {
        self.text(&value.to_string())
    }

    /// Prints rows of cells in columns, the first row as a heading.
    pub fn columns(&self, rows: &[Vec<String>]) -> Result<(), Failure> {
        let count = rows.iter().map(Vec::len).max().unwrap_or(0);
        let width =
            |c: usize| rows.iter().filter_map(|r| r.get(c)).map(|s| s.chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..count).map(width).collect();
        let mut text = String::new();
        for (i, row) in rows.iter().enumerate() {
            let line: Vec<String> =
                row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
            let line = line.join("  ");
            let line = line.trim_end();
            text += &if i == 0 { self.paint(Style::Heading, line) } else { line.into() };
            text.push('\n');
        }
        self.text(text.trim_end_matches('\n'))
    }

    /// One clear line on standard error, and with `--json` the error object on standard output.
    pub fn refuse(&self, failure: &Failure) -> ExitCode {
        match failure {
            Failure::Closed => return ExitCode::SUCCESS,
            Failure::Output(error) => eprintln!("ivy: standard output: {error}"),
            Failure::File(path, error) => {
                let message = format!("{}: {error}", path.display());
                if self.json {
                    let fields = json!({"path": path.display().to_string()});
                    // Nothing is left to do if this fails as well.
                    let _ =
                        self.json(&json!({"error": {"kind": "File", "message": message, "fields": fields}}));
                }
                eprintln!("ivy: {message}");
            }
            Failure::Ivy(error) => {
                if self.json {
                    let fields: serde_json::Map<String, Value> =
                        error.kind().fields().into_iter().map(|(k, v)| (k.into(), v.into())).collect();
                    let object = json!({
                        "error": {"kind": error.kind().name(), "message": error.to_string(), "fields": fields}
                    });
                    // Nothing is left to do if this fails as well.
                    let _ = self.json(&object);
                }
                eprintln!("ivy: {error}");
            }
        }
        ExitCode::from(2)
    }

    /// Help and version go to standard output; a wrong command line is one line.
    pub fn refuse_usage(&self, error: &clap::Error) -> ExitCode {
        use clap::error::ErrorKind;
        if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
            // A closed pipe is no error.
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        let text = error.to_string();
        // The first paragraph says what is wrong; a tip may follow.
        let lines = text.lines().map(str::trim).take_while(|l| !l.starts_with("Usage:"));
        let parts: Vec<&str> =
            lines.filter(|l| !l.is_empty() && !l.starts_with("For more information")).collect();
        let parts: Vec<String> = parts.iter().map(|l| l.replacen("tip: ", "; ", 1)).collect();
        let message = match error.kind() {
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => "a command is needed".to_string(),
            _ => parts.join(" ").replace(" ; ", "; ").trim_start_matches("error: ").to_string(),
        };
        let usage = text.lines().find_map(|l| l.trim().strip_prefix("Usage: ivy "));
        let command = usage.and_then(|l| l.split(' ').next()).filter(|w| w.starts_with(char::is_lowercase));
        let command = command.map_or_else(String::new, |command| format!(" {command}"));
        let message = format!("{message}; see `ivy{command} --help`");
        if self.json {
            let _ = self.json(&json!({"error": {"kind": "Usage", "message": message, "fields": {}}}));
        }
        eprintln!("ivy: {message}");
        ExitCode::from(2)
    }
}
