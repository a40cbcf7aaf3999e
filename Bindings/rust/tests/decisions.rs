use shunt_sys::*;
use std::ffi::CStr;
use std::ptr::{null, null_mut};

fn parse(text: &str) -> Result<*mut shunt_rules, String> {
    let (mut rules, mut message) = (null_mut(), null_mut());
    let name = CStr::from_bytes_with_nul(b"a.conf\0").unwrap();
    unsafe {
        match shunt_rules_parse(
            shunt_text::new(text.as_bytes()),
            name.as_ptr(),
            null(),
            &mut rules,
            &mut message,
        ) {
            SHUNT_OK => Ok(rules),
            status => {
                let text = CStr::from_ptr(message).to_string_lossy().into_owned();
                shunt_free(message);
                Err(format!("{}: {}", status, text))
            }
        }
    }
}

#[test]
fn a_url_is_decided() {
    assert_eq!(unsafe { shunt_interface() }, SHUNT_INTERFACE);
    let rules = parse("server { listen 80; location /old { return 301 /new; } }").unwrap();
    let request = shunt_request::new(b"http://www.a.test/old");
    let mut buffer = [0u8; 4096];
    let mut decision = shunt_decision::default();
    let status = unsafe {
        shunt_decide(
            rules,
            &request,
            buffer.as_mut_ptr().cast(),
            buffer.len(),
            &mut decision,
        )
    };
    assert_eq!(
        (status, decision.kind, decision.status),
        (SHUNT_OK, SHUNT_REDIRECT, 301)
    );
    assert_eq!(
        unsafe { decision.url.as_bytes() },
        Some(&b"http://www.a.test/new"[..])
    );
    assert_eq!(
        (unsafe { decision.file.as_bytes() }, decision.line),
        (Some(&b"a.conf"[..]), 1)
    );
    assert_eq!(unsafe { decision.reason.as_bytes() }, None);
    let status = unsafe {
        shunt_decide(
            rules,
            &request,
            buffer.as_mut_ptr().cast(),
            1,
            &mut decision,
        )
    };
    assert_eq!(status, SHUNT_TOO_SMALL);
    assert!(decision.needed > 1 && decision.needed <= buffer.len());
    unsafe { shunt_rules_release(rules) };
}

#[test]
fn wrong_rules_have_a_message() {
    let message = parse("server { listen 80; retrun 403; }").unwrap_err();
    assert!(
        message.starts_with(&format!("{}: ", SHUNT_INVALID_RULES)) && message.contains("retrun"),
        "{}",
        message
    );
}
