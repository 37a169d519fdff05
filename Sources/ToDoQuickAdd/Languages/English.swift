import ToDoModel

extension Language {
  static let english = Language(
    weekdays: [
      "monday, mon", "tuesday, tue, tues", "wednesday, wed, weds, midweek, mid-week", "thursday, thu, thur, thurs",
      "friday, fri",
      "saturday, sat", "sunday, sun",
    ],
    months: [
      "january, jan", "february, feb", "march, mar", "april, apr", "may", "june, jun", "july, jul", "august, aug",
      "september, sep, sept", "october, oct", "november, nov", "december, dec",
    ],
    lexemes: [
      (.relative(-1), "yesterday"), (.relative(0), "today, later today"),
      (.relative(1), "tomorrow, early tomorrow, late tomorrow, later tomorrow"),
      (.relative(2), "the day after tomorrow, day after tomorrow"),
      (.relative(-2), "the day before yesterday, day before yesterday"),
      (.relativePart(0, .night), "tonight, later tonight, tonite, 2nite"), (.relativePart(-1, .night), "last night"),
      (
        .part(.morning),
        "morning, morn, in the morning, early morning, late morning, mid morning, early in the morning, first thing"
      ),
      (
        .part(.afternoon),
        "afternoon, aft, arvo, in the afternoon, late afternoon, early afternoon, late in the afternoon"
      ), (.part(.evening), "evening, eve, in the evening, early evening, late evening"),
      (.part(.night), "night, nite, at night"),
      (.clock(720), "noon, midday, lunchtime"), (.clock(1440), "midnight"),
      (.endOfDay, "eod, end of day, end of the day, cob, close of business, close of play, end of business, eob"),
      (.number(0.5), "half an, half a"), (.number(1), "a, an, one"),
      (.number(2), "two, a couple of, couple of, a couple"),
      (.number(3), "three, a few"), (.number(4), "four"), (.number(5), "five"), (.number(6), "six"),
      (.number(7), "seven"),
      (.number(8), "eight"), (.number(9), "nine"), (.number(10), "ten"), (.number(11), "eleven"),
      (.number(12), "twelve"), (.number(1.5), "one and a half"), (.number(15), "fifteen"), (.number(20), "twenty"),
      (.number(30), "thirty"), (.number(45), "forty-five"), (.number(90), "ninety"),
      (.unit(.minute), "min, mins, minute, minutes"), (.unit(.hour), "h, hr, hrs, hour, hours"),
      (.unit(.day), "d, day, days"), (.unit(.week), "w, wk, wks, week, weeks"),
      (.unit(.fortnight), "fortnight, fortnights"), (.unit(.month), "mo, mos, mth, mths, month, months"),
      (.unit(.year), "y, yr, yrs, year, years"), (.span(.week), "week, wk"),
      (.span(.weekend), "weekend, wknd, wkend, at the weekend, at weekend"),
      (.span(.month), "month"), (.span(.year), "year"),
      (.endOf(.week), "eow, at the end of the week, end of week, end of the week, within the week"),
      (
        .endOf(.month),
        "eom, at the end of the month, end of month, end of the month, month end, month-end, month's end, last day of the month, the last day of the month"
      ),
      (.endOf(.year), "eoy, at the end of the year, end of year, end of the year, year end, year-end, year's end"),
      (
        .edge(.start),
        "beginning of, the beginning of, first week of, the first week of, first day of, the first day of, start of, the start of, at the start of, early"
      ),
      (.edge(.middle), "mid, middle of, the middle of"), (.edge(.late), "late, later in"),
      (.edge(.end), "end, end of, the end of, at the end of, last day of, the last day of"),
      (.ordinal(1), "first"), (.ordinal(2), "second"), (.ordinal(3), "third"), (.ordinal(4), "fourth"),
      (.ordinal(5), "fifth"), (.ordinal(6), "sixth"), (.ordinal(7), "seventh"), (.ordinal(8), "eighth"),
      (.ordinal(9), "ninth"), (.ordinal(10), "tenth"), (.ordinal(11), "eleventh"), (.ordinal(12), "twelfth"),
      (.ordinal(13), "thirteenth"), (.ordinal(14), "fourteenth"), (.ordinal(15), "fifteenth"),
      (.ordinal(16), "sixteenth"), (.ordinal(17), "seventeenth"), (.ordinal(18), "eighteenth"),
      (.ordinal(19), "nineteenth"), (.ordinal(20), "twentieth"), (.ordinal(21), "twenty-first"),
      (.ordinal(22), "twenty-second"), (.ordinal(23), "twenty-third"), (.ordinal(24), "twenty-fourth"),
      (.ordinal(25), "twenty-fifth"), (.ordinal(26), "twenty-sixth"), (.ordinal(27), "twenty-seventh"),
      (.ordinal(28), "twenty-eighth"), (.ordinal(29), "twenty-ninth"), (.ordinal(30), "thirtieth"),
      (.ordinal(31), "thirty-first"), (.ordinal(0), "last"),
      (.beforeHoliday, "at, over, on, come, around, just before, right before, in time for"),
      (.holiday(.fixed(month: 12, day: 24)), "christmas eve, xmas eve"),
      (.holiday(.fixed(month: 12, day: 25)), "christmas, xmas, christmas day, xmas day"),
      (.holiday(.fixed(month: 12, day: 26)), "boxing day"),
      (.holiday(.fixed(month: 12, day: 31)), "new year's eve, new years eve, new year eve, nye"),
      (
        .holiday(.fixed(month: 1, day: 1)),
        "new year's day, new years day, new year's, new years, new year, the new year"
      ),
      (.holiday(.fixed(month: 2, day: 14)), "valentine's day, valentines day, valentine's, valentines"),
      (
        .holiday(.fixed(month: 3, day: 17)), "st patrick's day, st. patrick's day, st patricks day, saint patrick's day"
      ),
      (.holiday(.fixed(month: 10, day: 31)), "halloween"),
      (.holiday(.thanksgiving(0)), "thanksgiving, thanksgiving day"), (.holiday(.thanksgiving(1)), "black friday"),
      (.holiday(.thanksgiving(4)), "cyber monday"),
      (.holiday(.easter(0)), "easter, easter sunday, easter day"), (.holiday(.easter(-2)), "good friday"),
      (.holiday(.easter(1)), "easter monday"), (.holiday(.easter(-46)), "ash wednesday"),
      (.holiday(.easter(-7)), "palm sunday"), (.holiday(.easter(-3)), "maundy thursday"),
      (.next, "next, early next, nxt"), (.afterNext, "after next"), (.this, "this, later this"),
      (.last, "last, this past, this last"), (.coming, "this coming, coming, the following"),
      (.article, "the"), (.of, "of, in"),
      (.insteadOf, "instead of, rather than"),
      (.ahead, "in"), (.within, "within, within the next, in the next"), (.sharp, "sharp, on the dot, exactly"),
      (
        .trailer,
        "or so, or two, or three, at the latest, at latest, latest, at the very latest, sometime, or sooner, or earlier, without fail"
      ),
      (.parts(.morning), "mornings"), (.parts(.afternoon), "afternoons"), (.parts(.evening), "evenings"),
      (.parts(.night), "nights"),
      (.between, "between"), (.from, "from"), (.beforeMonth, "in, by, before, until, till, due, due in, due by"),
      (.fromNow, "from now, from today, later, hence"),
      (.ago, "ago"),
      (
        .beforeDay,
        """
        on, on the, b4, ahead of, in time for, in time for the, not before, not until, thru, bis, is, are, is on, is due, is due on, is due by, are due, are due on, by, by the, before, \
        before the, until, \
        until the, till, till the, til, for, for the, from, \
        from the, starting, starting on, starting from, beginning, beginning on, due, due by, due on, exp, \
        no later than, not later than, after, after the, over the, around, as of, effective, the, sometime, \
        some time, sometime on, w/c, week of, the week of, week commencing, week beginning
        """
      ),
      (
        .beforeTime,
        """
        at, um, à, by, before, b4, not before, not until, approx, approximately, until, till, til, from, after, around, about, due, due at, due by, no later than, starting, \
        starting at, \
        for, @
        """
      ),
      (.on, "on, on the, the"), (.at, "at, @"), (.before, "before, b4"), (.after, "after"),
      (.through, "to, until, till, through, thru, -, –, —"), (.and, "and, or, &"),
      (.am, "am, a.m, a"), (.pm, "pm, p.m, p"), (.oClock, "o'clock, oclock, o clock, uhr"),
      (.half, "half"), (.quarter, "quarter, a quarter"), (.past, "past, after"), (.to, "to, before, till, til"),
      (.every, "every, each, every single"),
      (.everyOther, "every other, every alternate, each second"),
      (.alternate, "alternate, alternating, on alternate, on alternating"),
      (.except, "except, except on, but, but not, but not on, besides, apart from, excluding, not"),
      (.repeating, "repeat, repeats, repeating, recurring, repeated"),
      (.onDays, "on, on the, on a, the, on every, on each, every, each"),
      (.ofMonth, "of the month, in the month, of a month"),
      (
        .ofEveryMonth,
        "of every month, of each month, in every month, in each month, every month, each month, monthly, per month"
      ),
      (.count(1), "once, one time"), (.count(2), "twice, two times"), (.count(3), "thrice"),
      (.times, "times, time, occurrences, x, times in all, time in all, times in total, time in total"),
      (.orLastDay, "or the last day, or last day, or the last"), (.per, "a, an, per, each, every"),
      (
        .afterDone,
        """
        after done, after it's done, after it is done, after its done, after being done, after completion, after completing, \
        after completing it, after it's completed, after i do it, after i did it, after i've done it, after doing it, \
        after each completion, after every completion, after the last completion, after last completion, after finishing, \
        after finishing it, after last done, after it was done, after the last time, after last time, from completion, \
        after i finish it, after i complete it, since last done, after checking it off, after checking off
        """
      ),
      (
        .starts,
        """
        starting, starting on, starting from, beginning, beginning on, from, from the, as of, effective, after, after the, start, \
        first, first on, not before
        """
      ),
      (.ends, "until, until the, till, till the, til, through, thru, up to, up until, ending, ending on, ends"),
      (.lasting, "for, for the next, for another, for the following, over the next, during the next"),
      (
        .unrepeatable(.vague),
        """
        every now and then, every now and again, every so often, every once in a while, from time to time, every often, \
        every few hours, every few days, every few weeks, every few months, every few years, every several hours, every several days, every several weeks, every several months, every several years, every couple hours, every couple days, every couple weeks, every couple months, every couple years, every couple of hours, every couple of days, every couple of weeks, every couple of months, every couple of years, every a few hours, every a few days, every a few weeks, every a few months, every a few years, every so many hours, every so many days, every so many weeks, every so many months, every so many years
        """
      ),
      (.unrepeatable(.often), "hourly, every hour on the hour"),
      (.unrepeatable(.several), "every morning and night, day and night, every night and day"),
      (
        .unrepeatable(.unsupported),
        "every full moon, every new moon, every payday, every season, every semester, every school day"
      ),
      (.workday, "weekday, workday, business day, working day, business days, working days, workdays"),
      (.workdays, "weekdays, on weekdays"), (.weekends, "weekends, on weekends"),
      (.repeats(.daily, every: 1), "daily, everyday, nightly"), (.repeats(.weekly, every: 1), "weekly"),
      (.repeats(.monthly, every: 1), "monthly"), (.repeats(.yearly, every: 1), "yearly, annually"),
      (.repeats(.weekly, every: 2), "biweekly, fortnightly, bi-weekly"),
      (.repeats(.monthly, every: 3), "quarterly, every quarter, each quarter"),
      (.repeats(.monthly, every: 6), "half-yearly, semiannually, semi-annually, every half year, every half-year"),
      (.repeats(.monthly, every: 2), "bimonthly, bi-monthly"),
      (.weekdays(0), "mondays"),
      (.weekdays(1), "tuesdays"),
      (.weekdays(2), "wednesdays"),
      (.weekdays(3), "thursdays"),
      (
        .name,
        """
        28 days later, 28 weeks later, 28 years later, good friday agreement, monday morning quarterback, sunday best, sunday school, sunday roast, sunday brunch, \
        saturday night live, high noon, day one, day zero, d day, first day of school, one day at a time, rainy day, \
        five o'clock shadow, \
        the day after tomorrow movie, friday night lights, monday night football, sunday night football, \
        thursday night football, \
        today show, tonight show, the week in review, month by month, day by day, week by week, year in review, \
        second to none, \
        sat nav, sat navs, sun cream, sun screen, may day, march madness, april fools, april fool, \
        indian summer, night owl, \
        casual friday, mon ami, mon amour, mon cheri, mon chéri, mon dieu, manic monday, blue monday, ruby tuesday, stormy monday, black sunday, super tuesday
        """
      ),
      (.weekdays(4), "fridays"), (.weekdays(5), "saturdays"), (.weekdays(6), "sundays"),
    ],
    classes: [
      .dangling: """
      a, an, the, to, of, at, for, from, with, without, by, and, or, but, nor, as, than, into, onto, about, between, \
      before, after, until, till, since, during, per, via, re, regarding
      """,
      .copula: """
      is, isn't, are, was, were, has, had, counts, matters, feels, means, deserves, brings, seems, becomes, remains, costs, takes
      """,
      .preposition: """
      with, re, for, at, in, on, to, from, about, and, or, by, then, but, near, if, when, while, please, pls, plz, thx, thanks, \
      asap, too, instead, ideally, hopefully, maybe, probably, though, tho, because, cuz, cos, unless, otherwise, w/
      """,
      .pronoun: "i, he, she, we, they, who, that, it, you, may, cat",
      .naming: """
      black, cyber, taco, freaky, manic, bloody, stormy, maundy, shrove, fat, holy, throwback, mothering, wacky, \
      good, easter, ash, super, casual, palm, whit, giving, mr, mrs, ms, miss, dr, prof, any
      """,
      .numbered: """
      version, v, nr, num, n°, sections, paragraphs, tables, figures, verses, group, groups, dose, phase, stage, round, grade, grades, instalment, installment, level, levels, lines, act, scene, build, ppl, chapter, chapters, page, pages, room, rooms, \
      question, questions, \
      problem, problems, exercise, exercises, issue, issues, step, steps, part, parts, volume, vol, no, unit, units, \
      lesson, lessons, \
      verse, hymn, invoice, invoices, form, figure, fig, table, appendix, sheet, lot, batch, box, bay, pier, \
      terminal, ward, block, \
      floor, zone, channel, sprint, milestone, rfc, bug, code, step, items, slide, slides, item, postgres, \
      postgresql, django, rails, react, \
      windows, drupal, wordpress, ruby, unity, extension, ext, rt, rte, route, hwy, highway, scale, ratio, season, \
      episode, track, bus, flight, \
      line, gate, platform, seat, seats, row, apt, apartment, suite, locker, exit, aisle, \
      section, paragraph, article, size, firmware, release, python, swift, ubuntu, debian, android, java, php, node, \
      rust, kotlin, ios, macos
      """,
      .ratio: """
      ratio, scale, mix, under, below, verse, chapter, dilute, blend, thin, concentrate, crop, odds, score, pace, \
      split, print, model, \
      blueprint, map, epoxy, beat, sub
      """,
      .amount: """
      sell, bid, price, priced, thermostat, oven, temperature, cap, limit, volume, speed, bake, roast, reps, kg, lbs, \
      interest, rate, \
      discount, budget
      """,
      .writing: """
      essay, essays, article, articles, report, paper, book, books, chapter, post, story, poem, blog, piece, \
      presentation, talk, \
      lecture, research, documentary, minutes, photos, pictures, pics, photo, email, emails, message, messages, leftovers, \
      recording, recordings, video, videos, receipt, receipts, results, feedback, slides, homework, screenshots, \
      footage, letter, sermon, notes, quiz
      """,
      .thanks: "thank, thanks, apologize, apologise, sorry, reimburse, congratulate, compliment",
      .occasion: "gift, gifts, present, presents, card, cards, decorations, lights, sale, sales, deals, dinner ideas",
      .celebrating: "family",
      .rating: "rate, rated, rating, score, give, gave, review",
      .book: """
      john, luke, mark, matthew, genesis, exodus, psalm, psalms, romans, acts, isaiah, job, proverbs, hebrews, \
      james, ruth, revelation
      """,
      .work: """
      watch, rewatch, read, reread, stream, sing, listen, borrow, lend, play, learn, practise, practice, subscribe, review, \
      download, perform, record, transcribe, arrange, rehearse, cover
      """,
      .admission: "ticket, tickets",
      .early: "breakfast, early, wake, alarm, sunrise, dawn",
      .travel: """
      flight, flights, train, bus, ferry, plane, departure, departs, depart, departing, takeoff, boarding, shuttle, airport, \
      eurostar, amtrak, greyhound, tram, checkout
      """,
      .beginning: """
      starts, begins, ends, opens, closes, closed, open, due, arrives, arriving, leaves, leaving, falls, expires
      """,
      .phrasal: """
      check, clock, log, sign, move, drop, hand, turn, come, bring, call, dial, stay, sleep, pop, tune, plug, get, stop, put, send
      """,
      .dayLetters: "mwf, tth, tuth, ttr, mtwth, mtwtf, mtwthf, mtwrf, mwth",
      .rescheduling: "reschedule, cancel, move, postpone, push, confirm, skip, decline, rebook, swap, prep, prepare",
      .passage: "line, lyric, lyrics, verse, scene, chorus, solo, passage, timestamp, glitch, clip, mark, typo, cut",
      .appointment: """
      appt, appointment, meeting, mtg, call, dentist, doctor, dr, gp, lesson, class, interview, hygienist, physio, optician, vet, \
      train, bus, flight, haircut, lunch, dinner, viewing, practice, rehearsal, match, party, matinee, pickup, quiz, choir, \
      yoga, swim, swimming, gym, club, mass, taxi, cab, massage, session, checkup, scan, drinks, brunch, breakfast
      """,
      .late: """
      reservation, reservations, sitter, babysitter, dinner, supper, drinks, cocktails, concert, gig, poker, karaoke, trivia, \
      movie, movies, theater, theatre, party, pub, opera, table
      """,
      .seating: "table",
      .workNoun: "song, songs, album, lyrics, chords, tabs, soundtrack, trailer, poster, movie, film, novel, single",
      .givenName: "april, may, june, august",
      .zone: "pst, pdt, est, edt, cst, cdt, mst, mdt, gmt, utc, cet, cest, bst, ist, jst, et, pt, ct, mt",
      .measure: """
      euro, euros, eur, €, dollar, dollars, usd, pounds, pound, percent, %, degrees, km, kg, cm, mm, m, l, g, liter, \
      liters, litres, people, times, inch, inches, cup, cups, pace, mi, mile, miles, lap, laps, pb, 5k, 10k, marathon, split, splits, interval, intervals
      """,
      .street: "street, st, road, rd, avenue, ave, lane, drive, square, close, way, court, terrace, place",
      .compound: """
      cream, screen, screens, lotion, block, hat, hats, glasses, dress, bed, beds, lounger, tan, dance, shade, \
      shades, roof, nav, protection, tan, salutation, salutations, room, porch, tea, visor, damage, bonnet, dried, umbrella, \
      blues, papers, supplement, motivation, bear, kissed, ray, rays, valley, city, life, belt, dress, prep, score, scores, exam, \
      navs, phone, dish, calamari
      """,
      .counted: """
      period, grade, graders, floor, row, round, quarter, inning, place, edition, draft, reminder, attempt, try, visit, dose, \
      shot, anniversary, birthday, bday, half, hour, trimester, shift, class, year, generation, avenue, ave, street, st
      """,
      .ordinalSuffix: "st, nd, rd, th",
      .hourSuffix: "ish",
      .misspelling: "tmrw, tmr, tmw, tmrrw, tomo, tomoz, 2moro, 2morrow, 2mrw, wensday, wendsday, thrusday",
      .foreignDay: """
      heute, morgen, übermorgen, demain, mañana, domani, lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche, lunes, martes, \
      miércoles, miercoles, jueves, viernes, sábado, sabado, domingo, lunedì, martedì, mercoledì, giovedì, venerdì, sabato, domenica
      """,
      .foreignNoun: "montag, dienstag, mittwoch, donnerstag, freitag, samstag, sonnabend, sonntag",
      .topic: "about, on, for, to, regarding, whether, if",
      .lookalike: """
      sundae, sundaes, remember, member, demand, sturdy, sundry, deceiver, frida, munday, augusta, augusto, auguste, \
      augustus, augustin, augustine
      """,
    ],
    hasTwelveHours: true)
}
