import SeededRandom
import ShuntCore
import Testing

@Suite("Times")
struct TimestampTests {
    @Test(
        "Reading",
        arguments: [
            ("1970-01-01T00:00:00Z", 0, 0), ("1970-01-01T00:00:00.5Z", 0, 500_000_000), ("1970-01-01t00:00z", 0, 0),
            ("1970-01-01 01:00:00+01:00", 0, 0), ("1969-12-31T23:59:59Z", -1, 0), ("1970-01-01T00:00:00-00:00", 0, 0),
            ("1970-01-01T00:00:00-0130", 5_400, 0), ("1970-01-01T00:00:00+02", -7_200, 0),
            ("2026-02-03T04:05:06Z", 1_770_091_506, 0), ("2000-02-29T12:00:00Z", 951_825_600, 0),
            ("2024-02-29T00:00:00.123456789999Z", 1_709_164_800, 123_456_789),
            ("0000-01-01T00:00:00Z", -62_167_219_200, 0),
            ("9999-12-31T23:59:59Z", 253_402_300_799, 0), ("2016-12-31T23:59:60Z", 1_483_228_800, 0),
            ("1900-03-01T00:00:00Z", -2_203_891_200, 0),
        ] as [(String, Int64, Int32)]
    )
    func reading(text: String, seconds: Int64, nanoseconds: Int32) throws {
        #expect(try Timestamp(text) == Timestamp(seconds: seconds, nanoseconds: nanoseconds))
    }

    @Test(
        "Refused",
        arguments: [
            ("", .year, 0), ("26-01-01", .year, 0), ("+2026-01-01T00:00:00Z", .year, 0), ("2026", .month, 4),
            ("2026-13-01T00:00Z", .month, 5),
            ("2026-00-01T00:00Z", .month, 5), ("2026-1-01T00:00Z", .month, 5), ("20260101T000000Z", .month, 4),
            ("2026-02-29T00:00Z", .day, 8),
            ("1900-02-29T00:00Z", .day, 8), ("2026-04-31T00:00Z", .day, 8), ("2026-01-00T00:00Z", .day, 8),
            ("2026-01-01", .separator, 10),
            ("2026-01-01_00:00Z", .separator, 10), ("2026-01-01T24:00Z", .hour, 11), ("2026-01-01T0:00Z", .hour, 11),
            ("2026-01-01T00Z", .minute, 13), ("2026-01-01T00:60Z", .minute, 14), ("2026-01-01T00:00:61Z", .second, 17),
            ("2026-01-01T00:00:Z", .second, 17), ("2026-01-01T00:00:00.Z", .fraction, 20),
            ("2026-01-01T00:00:00", .offset, 19),
            ("2026-01-01T00:00:00+1", .offset, 20), ("2026-01-01T00:00:00+24:00", .offset, 20),
            ("2026-01-01T00:00:00+00:60", .offset, 23),
            ("2026-01-01T00:00:00ZZ", .end, 20), ("2026-01-01T00:00:00+00:00 ", .end, 25),
            ("２０２６-01-01T00:00Z", .year, 0),
        ] as [(String, TimestampError.Expectation, Int)]
    )
    func refused(text: String, expectation: TimestampError.Expectation, offset: Int) {
        let error = TimestampError(expectation: expectation, offset: offset)
        #expect(throws: error) { try Timestamp(text) }
        #expect(error.description.hasSuffix("at byte \(offset)"))
    }

    @Test(
        "Writing",
        arguments: [
            (0, 0, "1970-01-01T00:00:00+00:00", "01/Jan/1970:00:00:00 +0000"),
            (1_770_091_506, 0, "2026-02-03T04:05:06+00:00", "03/Feb/2026:04:05:06 +0000"),
            (1_770_091_506, 330, "2026-02-03T09:35:06+05:30", "03/Feb/2026:09:35:06 +0530"),
            (1_770_091_506, -300, "2026-02-02T23:05:06-05:00", "02/Feb/2026:23:05:06 -0500"),
            (-1, 0, "1969-12-31T23:59:59+00:00", "31/Dec/1969:23:59:59 +0000"),
            (0, -1, "1969-12-31T23:59:00-00:01", "31/Dec/1969:23:59:00 -0001"),
            (951_825_600, 0, "2000-02-29T12:00:00+00:00", "29/Feb/2000:12:00:00 +0000"),
            (253_402_300_800, 0, "+10000-01-01T00:00:00+00:00", "01/Jan/+10000:00:00:00 +0000"),
            (-62_167_219_201, 0, "-0001-12-31T23:59:59+00:00", "31/Dec/-0001:23:59:59 +0000"),
            (0, 99_999, "1970-01-01T23:59:00+23:59", "01/Jan/1970:23:59:00 +2359"),
            (Int64.max, 1439, "+292277026596-12-05T15:29:07+23:59", "05/Dec/+292277026596:15:29:07 +2359"),
            (Int64.min, -1439, "-292277022657-01-26T08:30:52-23:59", "26/Jan/-292277022657:08:30:52 -2359"),
        ] as [(Int64, Int, String, String)]
    )
    func writing(seconds: Int64, offset: Int, iso: String, log: String) {
        let moment = Timestamp(seconds: seconds)
        #expect(moment.iso8601(offset: offset) == iso)
        #expect(moment.commonLogFormat(offset: offset) == log)
    }

    @Test(
        "HTTP writes a moment with its weekday",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_825_600, "Tue, 29 Feb 2000 12:00:00 GMT"),
            (-86_400 * 7, "Thu, 25 Dec 1969 00:00:00 GMT"), (Int64.max, "Sun, 04 Dec +292277026596 15:30:07 GMT"),
        ] as [(Int64, String)]
    )
    func httpDate(seconds: Int64, text: String) {
        #expect(Timestamp(seconds: seconds).httpDate == text)
    }

    @Test(
        "A long form has the whole name of the weekday",
        arguments: [
            (784_111_777, "Sunday, 06-Nov-1994 08:49:37 GMT"), (-1, "Wednesday, 31-Dec-1969 23:59:59 GMT"),
            (1_796_070_114, "Monday, 30-Nov-2026 20:21:54 GMT"),
        ] as [(Int64, String)]
    )
    func long(seconds: Int64, text: String) {
        #expect(Timestamp(seconds: seconds).bytes(as: .long) == Array(text.utf8))
    }

    @Test("The description keeps the fraction")
    func description() {
        #expect(Timestamp(seconds: 0).description == "1970-01-01T00:00:00Z")
        #expect(Timestamp(seconds: -1, nanoseconds: 10_000_000).description == "1969-12-31T23:59:59.01Z")
        #expect(Timestamp(seconds: 0, nanoseconds: 1).description == "1970-01-01T00:00:00.000000001Z")
        #expect(Timestamp(seconds: 0, nanoseconds: -1).nanoseconds == 0)
        #expect(Timestamp(seconds: 0, nanoseconds: Int32.max).nanoseconds == 999_999_999)
    }

    @Test("A written time reads back as the same moment")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<3_000 {
            let moment = Timestamp(
                seconds: Int64.random(in: -62_167_000_000...253_402_000_000, using: &generator),
                nanoseconds: Int32.random(in: 0...999_999_999, using: &generator)
            )
            #expect(try Timestamp(moment.description) == moment)
            let offset = Int.random(in: -1439...1439, using: &generator)
            #expect(try Timestamp(moment.iso8601(offset: offset)).seconds == moment.seconds)
        }
    }

    @Test(
        "Day by day over leap years and centuries",
        arguments: [(1895, -2_366_755_200), (1995, 788_918_400), (2095, 3_944_678_400)] as [(Int, Int64)]
    )
    func calendar(firstYear: Int, start: Int64) throws {
        var seconds = start
        for year in firstYear..<firstYear + 11 {
            let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            for (month, length) in lengths.enumerated() {
                for day in 1...length {
                    let text = "\(year)-\(month < 9 ? "0" : "")\(month + 1)-\(day < 10 ? "0" : "")\(day)T00:00:00+00:00"
                    #expect(Timestamp(seconds: seconds).iso8601() == text)
                    #expect(try Timestamp(text).seconds == seconds)
                    seconds += 86_400
                }
            }
        }
    }

    @Test("Order, and the clock")
    func order() {
        let early = Timestamp(seconds: 1, nanoseconds: 5)
        #expect(early < Timestamp(seconds: 1, nanoseconds: 6))
        #expect(early < Timestamp(seconds: 2))
        #expect(!(early < early))
        let now = Timestamp.now()
        #expect(now > Timestamp(seconds: 1_700_000_000))
        #expect(Timestamp.now() >= now || Timestamp.now().seconds >= now.seconds - 3_600)
    }
}
