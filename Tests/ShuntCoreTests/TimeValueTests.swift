import ShuntCore
import Testing

@Suite("Texts that stand for moments")
struct TimeValueTests {
    @Test(
        "Dates and times, with and without an offset",
        arguments: [
            ("2026-11-11", 0, "2026-11-11T00:00:00Z"),
            ("2026-11-11", 480, "2026-11-10T16:00:00Z"),
            ("2026-11-11", -90, "2026-11-11T01:30:00Z"),
            ("2026-11-11T08:00", 480, "2026-11-11T00:00:00Z"),
            ("2026-11-11T08:00:00.5", 0, "2026-11-11T08:00:00.5Z"),
            ("2026-11-11T08:00:00+01:00", 480, "2026-11-11T07:00:00Z"),
            ("2026-11-11 08:00:00Z", 480, "2026-11-11T08:00:00Z"),
        ]
    )
    func moments(text: String, offset: Int, moment: String) throws {
        #expect(try TimeValue.moment(text, offset: offset).description == moment)
        #expect(TimeValue.moment(of: Array(text.utf8).span, offset: offset)?.description == moment)
    }

    @Test(
        "Impossible dates",
        arguments: [
            ("2026-13-45", "expected a month from 01 to 12 at byte 5"),
            ("2026-02-29", "expected a day that the month has at byte 8"),
            ("2026-11-11T25:00", "expected an hour from 00 to 23 at byte 11"),
            ("2026-11", "expected a day that the month has at byte 7"),
            ("2026-11-11x", "expected T between date and time at byte 10"),
        ]
    )
    func impossible(text: String, message: String) {
        #expect {
            try TimeValue.moment(text, offset: 0)
        } throws: {
            "\($0)" == message
        }
        #expect(TimeValue.looksLikeDate(Array(text.utf8)))
        #expect(TimeValue.moment(of: Array(text.utf8).span, offset: 0) == nil)
    }

    @Test(
        "Other forms of values",
        arguments: [
            ("1794448800", "2026-11-12T02:00:00Z"), ("1794448800.25", "2026-11-12T02:00:00.25Z"),
            ("0", "1970-01-01T00:00:00Z"),
            ("03/Feb/2026:04:05:06 +0100", "2026-02-03T03:05:06Z"), ("03/Fab/2026:04:05:06 +0100", nil), ("1.2.3", nil),
            ("99999999999999999999", nil), ("", nil), ("-1", nil), ("x", nil), ("1.", nil),
        ] as [(String, String?)]
    )
    func values(text: String, moment: String?) {
        #expect(TimeValue.moment(of: Array(text.utf8).span, offset: 480)?.description == moment)
    }

    @Test(
        "Times of day",
        arguments: [
            ("00:00", 0), ("9:30", 34_200), ("09:30:15", 34_215), ("24:00", 86_400), ("24:01", nil), ("09:60", nil),
            ("9", nil),
            ("009:30", nil), ("09:3", nil), ("09:30:15:00", nil), (":30", nil),
        ] as [(String, Int64?)]
    )
    func timesOfDay(text: String, seconds: Int64?) {
        #expect(TimeValue.timeOfDay(Array(text.utf8).span) == seconds)
    }

    @Test(
        "Offsets",
        arguments: [
            ("Z", 0), ("UTC", 0), ("+08:00", 480), ("-03:30", -210), ("+24:00", nil), ("08:00", nil), ("+8:00", nil),
            ("CET", nil),
            ("", nil),
        ] as [(String, Int?)]
    )
    func offsets(text: String, minutes: Int?) {
        #expect(TimeValue.offset(text) == minutes)
    }

    @Test("Days and clocks, on both sides of midnight and of 1970")
    func days() throws {
        let cases: [(String, Int, String, String)] = [
            ("1970-01-01T00:00:00Z", 0, "thu", "00:00:00"), ("1970-01-01T00:00:00Z", -1, "wed", "23:59:00"),
            ("1969-12-28T23:30:00Z", 60, "mon", "00:30:00"), ("2026-11-22T23:59:59Z", 0, "sun", "23:59:59"),
            ("2026-11-22T23:59:59Z", 480, "mon", "07:59:59"),
        ]
        for (text, offset, day, clock) in cases {
            let moment = try Timestamp(text)
            #expect(TimeValue.weekday(of: moment, offset: offset) == day, "\(text)")
            #expect(String(decoding: moment.bytes(as: .clock, offset: offset), as: UTF8.self) == clock, "\(text)")
        }
        #expect(TimeValue.weekdays.contains(TimeValue.weekday(of: Timestamp(seconds: .min), offset: -1439)))
    }
}
