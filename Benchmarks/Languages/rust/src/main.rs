//! Decides about the URLs of a file in turn; prints the nanoseconds of a decision, and the number of decisions by a rule.
//!
//! `decide RULES URLS DECISIONS`
use shunt_sys::*;
use std::error::Error;
use std::ffi::CString;
use std::ptr::{null, null_mut};
use std::time::Duration;

/// The processor time of the process, which has one thread.
fn now() -> Result<Duration, Box<dyn Error>> {
    // The standard library has no clock of this kind: the first number is of nanoseconds.
    let text = std::fs::read_to_string("/proc/self/schedstat")?;
    Ok(Duration::from_nanos(text.split(' ').next().unwrap_or("").parse()?))
}

fn decide(rules: *const shunt_rules, urls: &[&str], count: usize) -> usize {
    let mut buffer = [0u8; 65536];
    let decided = urls.iter().cycle().take(count).filter(|url| {
        let request = shunt_request::new(url.as_bytes());
        let mut decision = shunt_decision::default();
        let status = unsafe {
            shunt_decide(rules, &request, buffer.as_mut_ptr().cast(), buffer.len(), &mut decision)
        };
        status == SHUNT_OK && decision.is_by_rule
    });
    decided.count()
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, list, count] = &arguments[..] else {
        return Err("usage: decide RULES URLS DECISIONS".into());
    };
    let path = CString::new(path.as_str())?;
    let mut rules = null_mut();
    if unsafe { shunt_rules_load(path.as_ptr(), null(), &mut rules, null_mut()) } != SHUNT_OK {
        return Err("the rules cannot be loaded".into());
    }
    let text = std::fs::read_to_string(list)?;
    let urls: Vec<&str> = text.split_whitespace().collect();
    let count: usize = count.parse()?;
    decide(rules, &urls, urls.len());
    let start = now()?;
    let matches = decide(rules, &urls, count);
    let cost = (now()? - start).as_nanos() as f64 / count as f64;
    println!("{:.1} {}", cost, matches);
    Ok(())
}
