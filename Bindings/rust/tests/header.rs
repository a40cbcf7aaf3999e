//! The declarations next to those of the header: functions with their parameters, structures with their fields, and constants.

use std::collections::BTreeMap;

const HEADER: &str = include_str!("../../../Sources/CShunt/include/shunt.h");
const DECLARATIONS: &str = include_str!("../src/lib.rs");

type Names = BTreeMap<String, Vec<String>>;

fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some((before, after)) = rest.split_once("/*") {
        kept += before;
        rest = after.split_once("*/").expect("a comment ends").1;
    }
    let kept = kept + rest;
    kept.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The name at the end of a declaration of C.
fn last_name(declaration: &str) -> String {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let name: String = declaration
        .trim_end()
        .chars()
        .rev()
        .take_while(|character| is_part(*character))
        .collect();
    name.chars().rev().collect()
}

/// The name before the colon of a declaration of Rust.
fn names_of_rust(list: &str) -> Vec<String> {
    list.split(',')
        .filter_map(|part| part.split_once(':'))
        .map(|(name, _)| last_name(name))
        .collect()
}

fn functions_of_header() -> Names {
    let text = without_comments(HEADER);
    let statements = text
        .split(';')
        .filter(|statement| !statement.contains("typedef") && !statement.contains('{'));
    let calls = statements.filter_map(|statement| statement.split_once('('));
    calls
        .filter(|(before, _)| last_name(before).starts_with("shunt_"))
        .map(|(before, after)| {
            let list = after.split_once(')').expect("a list ends").0;
            (
                last_name(before),
                list.split(',')
                    .filter(|part| *part != "void")
                    .map(last_name)
                    .collect(),
            )
        })
        .collect()
}

fn functions_of_rust() -> Names {
    let parts = DECLARATIONS.split("    pub fn shunt_").skip(1);
    parts
        .map(|part| {
            let (name, after) = part.split_once('(').expect("a list begins");
            (
                format!("shunt_{}", name),
                names_of_rust(after.split_once(')').expect("a list ends").0),
            )
        })
        .collect()
}

fn structures_of_header() -> Names {
    let text = without_comments(HEADER);
    let parts = text
        .split("typedef struct ")
        .skip(1)
        .filter_map(|part| part.split_once('}'));
    let bodies = parts.filter_map(|(before, _)| before.split_once('{'));
    bodies
        .filter(|(name, _)| !name.contains(';'))
        .map(|(name, body)| {
            let fields = body
                .split(';')
                .map(last_name)
                .filter(|field| !field.is_empty())
                .collect();
            (name.trim().to_string(), fields)
        })
        .collect()
}

fn structures_of_rust() -> Names {
    let parts = DECLARATIONS.split("pub struct ").skip(1);
    parts
        .map(|part| {
            let (name, after) = part.split_once('{').expect("a structure begins");
            (
                name.trim().to_string(),
                names_of_rust(after.split_once('}').expect("a structure ends").0),
            )
        })
        .filter(|(_, fields)| fields != &["_private"])
        .collect()
}

fn constants_of_header() -> BTreeMap<String, String> {
    let text = without_comments(HEADER);
    let version = text
        .lines()
        .find_map(|line| line.strip_prefix("#define SHUNT_INTERFACE "))
        .expect("the interface");
    let enumerations = text
        .split("typedef enum ")
        .skip(1)
        .filter_map(|part| part.split_once('}'));
    let bodies = enumerations.filter_map(|(before, _)| before.split_once('{'));
    let cases = bodies
        .flat_map(|(_, body)| body.split(','))
        .filter_map(|case| case.split_once('='));
    let pair = |(name, value): (&str, &str)| (name.trim().to_string(), value.trim().to_string());
    cases
        .map(pair)
        .chain([("SHUNT_INTERFACE".to_string(), version.trim().to_string())])
        .collect()
}

fn constants_of_rust() -> BTreeMap<String, String> {
    let parts = DECLARATIONS.split("pub const ").skip(1);
    parts
        .map(|part| {
            let (name, after) = part.split_once(':').expect("a constant has a type");
            let value = after.split_once('=').expect("a constant has a value").1;
            (
                name.to_string(),
                value
                    .split_once(';')
                    .expect("a constant ends")
                    .0
                    .trim()
                    .to_string(),
            )
        })
        .collect()
}

#[test]
fn functions_are_those_of_the_header() {
    assert!(functions_of_header().len() > 15);
    assert_eq!(functions_of_rust(), functions_of_header());
}

#[test]
fn structures_are_those_of_the_header() {
    assert_eq!(structures_of_header().len(), 5);
    assert_eq!(structures_of_rust(), structures_of_header());
}

#[test]
fn constants_are_those_of_the_header() {
    assert!(constants_of_header().len() > 15);
    assert_eq!(constants_of_rust(), constants_of_header());
}
