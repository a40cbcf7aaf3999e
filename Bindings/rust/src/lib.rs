//! The declarations of `shunt.h`, which is their reference. The linker finds `libshunt` as it finds every library of the system.
#![allow(non_camel_case_types)]

use std::mem::{size_of, zeroed};
use std::os::raw::{c_char, c_uint, c_void};

pub const SHUNT_INTERFACE: u32 = 1;

pub type shunt_status = c_uint;
pub const SHUNT_OK: shunt_status = 0;
pub const SHUNT_INVALID_ARGUMENT: shunt_status = 1;
pub const SHUNT_INVALID_RULES: shunt_status = 2;
pub const SHUNT_UNAVAILABLE: shunt_status = 3;
pub const SHUNT_TOO_SMALL: shunt_status = 4;

pub type shunt_kind = c_uint;
pub const SHUNT_FORWARD: shunt_kind = 0;
pub const SHUNT_REDIRECT: shunt_kind = 1;
pub const SHUNT_DEGRADE: shunt_kind = 2;
pub const SHUNT_RESPOND: shunt_kind = 3;
pub const SHUNT_BLOCK: shunt_kind = 4;
pub const SHUNT_FAIL: shunt_kind = 5;

pub type shunt_format = c_uint;
pub const SHUNT_TEXT: shunt_format = 0;
pub const SHUNT_JSON: shunt_format = 1;

pub type shunt_report = c_uint;
pub const SHUNT_DIAGNOSTICS: shunt_report = 0;
pub const SHUNT_RULES: shunt_report = 1;
pub const SHUNT_ROUTES: shunt_report = 2;
pub const SHUNT_HITS: shunt_report = 3;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct shunt_text {
    pub bytes: *const c_char,
    pub length: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct shunt_field {
    pub name: shunt_text,
    pub value: shunt_text,
}

#[repr(C)]
pub struct shunt_rules {
    _private: [u8; 0],
}

#[repr(C)]
pub struct shunt_store {
    _private: [u8; 0],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct shunt_options {
    pub size: usize,
    pub trusted: *const *const c_char,
    pub trusted_count: usize,
    pub document_root: *const c_char,
    pub last_known_good: *const c_char,
    pub ignores_unknown: bool,
    pub counts: bool,
    pub watches: bool,
    pub json: bool,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct shunt_request {
    pub size: usize,
    pub url: shunt_text,
    pub host: shunt_text,
    pub method: shunt_text,
    pub headers: *const shunt_field,
    pub header_count: usize,
    pub inputs: *const shunt_field,
    pub input_count: usize,
    pub client_address: shunt_text,
    pub server_address: shunt_text,
    pub client_port: u16,
    pub server_port: u16,
    pub security: u8,
    pub http_version: u8,
    pub seconds: i64,
    pub nanoseconds: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct shunt_decision {
    pub size: usize,
    pub kind: shunt_kind,
    pub status: i32,
    pub is_by_rule: bool,
    pub is_upstream: bool,
    pub url: shunt_text,
    pub target: shunt_text,
    pub authority: shunt_text,
    pub path: shunt_text,
    pub body: shunt_text,
    pub reason: shunt_text,
    pub file: shunt_text,
    pub line: u32,
    pub column: u32,
    pub route: shunt_text,
    pub parameters: *const shunt_field,
    pub parameter_count: usize,
    pub headers: *const shunt_field,
    pub header_count: usize,
    pub success_headers: *const shunt_field,
    pub success_header_count: usize,
    pub upstream_headers: *const shunt_field,
    pub upstream_header_count: usize,
    pub needed: usize,
}

pub type shunt_reloaded = Option<
    unsafe extern "C" fn(context: *mut c_void, status: shunt_status, message: *const c_char),
>;

impl shunt_text {
    /// A text that points to bytes, which must outlive its use.
    pub fn new(bytes: &[u8]) -> Self {
        shunt_text {
            bytes: bytes.as_ptr().cast(),
            length: bytes.len(),
        }
    }

    /// The bytes; `None` where there is no value.
    ///
    /// # Safety
    /// `bytes` is null or points to `length` bytes that live as long as the result is used.
    pub unsafe fn as_bytes<'a>(self) -> Option<&'a [u8]> {
        (!self.bytes.is_null()).then(|| std::slice::from_raw_parts(self.bytes.cast(), self.length))
    }
}

// Zero is a value of every field of these structures.
impl Default for shunt_options {
    fn default() -> Self {
        shunt_options {
            size: size_of::<Self>(),
            ..unsafe { zeroed() }
        }
    }
}

impl shunt_request {
    /// A request for a URL, which must outlive its use.
    pub fn new(url: &[u8]) -> Self {
        shunt_request {
            size: size_of::<Self>(),
            url: shunt_text::new(url),
            http_version: 1,
            ..unsafe { zeroed() }
        }
    }
}

impl Default for shunt_decision {
    fn default() -> Self {
        shunt_decision {
            size: size_of::<Self>(),
            kind: SHUNT_FAIL,
            ..unsafe { zeroed() }
        }
    }
}

#[link(name = "shunt")]
extern "C" {
    pub fn shunt_interface() -> u32;
    pub fn shunt_version() -> *const c_char;
    pub fn shunt_free(text: *mut c_char);
    pub fn shunt_rules_load(
        path: *const c_char,
        options: *const shunt_options,
        rules: *mut *mut shunt_rules,
        message: *mut *mut c_char,
    ) -> shunt_status;
    pub fn shunt_rules_parse(
        text: shunt_text,
        name: *const c_char,
        options: *const shunt_options,
        rules: *mut *mut shunt_rules,
        message: *mut *mut c_char,
    ) -> shunt_status;
    pub fn shunt_rules_archive(
        files: *const shunt_field,
        count: usize,
        options: *const shunt_options,
        rules: *mut *mut shunt_rules,
        message: *mut *mut c_char,
    ) -> shunt_status;
    pub fn shunt_rules_retain(rules: *mut shunt_rules) -> *mut shunt_rules;
    pub fn shunt_rules_release(rules: *mut shunt_rules);
    pub fn shunt_rules_count(rules: *const shunt_rules) -> usize;
    pub fn shunt_rules_hash(rules: *const shunt_rules) -> *mut c_char;
    pub fn shunt_rules_report(
        rules: *const shunt_rules,
        report: shunt_report,
        format: shunt_format,
        text: *mut *mut c_char,
    ) -> shunt_status;
    pub fn shunt_decide(
        rules: *const shunt_rules,
        request: *const shunt_request,
        buffer: *mut c_void,
        capacity: usize,
        decision: *mut shunt_decision,
    ) -> shunt_status;
    pub fn shunt_explain(
        rules: *const shunt_rules,
        request: *const shunt_request,
        format: shunt_format,
        text: *mut *mut c_char,
    ) -> shunt_status;
    pub fn shunt_store_open(
        path: *const c_char,
        options: *const shunt_options,
        reloaded: shunt_reloaded,
        context: *mut c_void,
        store: *mut *mut shunt_store,
        message: *mut *mut c_char,
    ) -> shunt_status;
    pub fn shunt_store_rules(store: *const shunt_store) -> *mut shunt_rules;
    pub fn shunt_store_generation(store: *const shunt_store) -> u64;
    pub fn shunt_store_decide(
        store: *const shunt_store,
        request: *const shunt_request,
        buffer: *mut c_void,
        capacity: usize,
        decision: *mut shunt_decision,
    ) -> shunt_status;
    pub fn shunt_store_reload(store: *mut shunt_store, message: *mut *mut c_char) -> shunt_status;
    pub fn shunt_store_status(store: *const shunt_store, text: *mut *mut c_char) -> shunt_status;
    pub fn shunt_store_retain(store: *mut shunt_store) -> *mut shunt_store;
    pub fn shunt_store_close(store: *mut shunt_store);
}
