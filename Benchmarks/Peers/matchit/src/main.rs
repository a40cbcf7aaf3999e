// matchit in Rust, asked by compare-routes: see routers.go for what it reads and prints.
//
//	matchit-routes matchit ROUTES QUESTIONS
//
// matchit knows no methods: there is a router for each, as its README advises.
use std::io::{BufRead, Write};

struct Question {
    router: usize,
    path: String,
}

fn lines(name: &str) -> Vec<Vec<String>> {
    let Ok(text) = std::fs::read_to_string(name) else {
        println!("cannot read {name}");
        std::process::exit(1);
    };
    text.lines().map(|line| line.split_whitespace().map(String::from).collect()).collect()
}

/// `/a/:b` as `/a/{b}`.
fn pattern(text: &str) -> String {
    let components: Vec<String> = text
        .split('/')
        .map(|part| match part.strip_prefix(':') {
            Some(name) => format!("{{{name}}}"),
            None => part.to_string(),
        })
        .collect();
    components.join("/")
}

fn processor_time() -> f64 {
    #[repr(C)]
    struct Time {
        seconds: i64,
        nanoseconds: i64,
    }
    extern "C" {
        fn clock_gettime(clock: i32, time: *mut Time) -> i32;
    }
    let mut time = Time { seconds: 0, nanoseconds: 0 };
    // 2 is the processor time of the process.
    unsafe { clock_gettime(2, &mut time) };
    time.seconds as f64 * 1e9 + time.nanoseconds as f64
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let mut methods: Vec<String> = Vec::new();
    let mut routers: Vec<matchit::Router<i64>> = Vec::new();
    for (index, words) in lines(&arguments[2]).iter().enumerate() {
        let number = methods.iter().position(|method| *method == words[0]).unwrap_or_else(|| {
            methods.push(words[0].clone());
            routers.push(matchit::Router::new());
            methods.len() - 1
        });
        if let Err(error) = routers[number].insert(pattern(&words[1]), index as i64) {
            println!("refused: {error}");
            std::process::exit(1);
        }
    }
    let mut questions: Vec<Question> = Vec::new();
    let mut wrong = 0;
    for words in lines(&arguments[3]) {
        let Some(router) = methods.iter().position(|method| *method == words[0]) else { continue };
        let found = routers[router].at(&words[1]).map(|found| *found.value).unwrap_or(-1);
        if found.to_string() != words[2] {
            wrong += 1;
        }
        questions.push(Question { router, path: words[1].clone() });
    }
    println!("ready {wrong}");

    let mut next = 0;
    for line in std::io::stdin().lock().lines() {
        let wanted: f64 = line.ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0.0);
        let (mut lookups, mut matches, mut batch) = (0u64, 0u64, 16u64);
        let start = processor_time();
        let mut used = 0.0;
        while used < wanted {
            for _ in 0..batch {
                let question = &questions[next];
                if let Ok(found) = routers[question.router].at(std::hint::black_box(&question.path)) {
                    std::hint::black_box(&found);
                    matches += 1;
                }
                next += 1;
                if next == questions.len() {
                    next = 0;
                }
            }
            lookups += batch;
            used = processor_time() - start;
            if used < wanted / 16.0 {
                batch *= 2;
            }
        }
        println!("{:.3} {} {}", used / lookups as f64, lookups, matches);
        let _ = std::io::stdout().flush();
    }
}
