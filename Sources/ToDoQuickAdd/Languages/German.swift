import ToDoModel

extension Language {
  static let german = Language(
    weekdays: [
      "montag, mo", "dienstag, di", "mittwoch, mi, mitte der woche", "donnerstag, do", "freitag, fr",
      "samstag, sa, sonnabend",
      "sonntag, so",
    ],
    months: [
      "januar, jan, jänner", "februar, feb", "märz, mär, maerz", "april, apr", "mai", "juni, jun", "juli, jul",
      "august, aug", "september, sep, sept", "oktober, okt", "november, nov", "dezember, dez",
    ],
    lexemes: [
      (.relative(-2), "vorgestern"), (.relative(-1), "gestern"),
      (.relative(0), "heute, heut, heute noch, noch heute, heute schon, gleich heute"),
      (.relative(1), "morgen, morgen gleich, gleich morgen, morgen schon"),
      (.relative(2), "übermorgen, uebermorgen"),
      (.part(.morning), "früh, vormittag, frueh, in der früh, am morgen, am vormittag, morgen"),
      (.adverb(.morning), "morgens, vormittags, frühmorgens"), (.adverb(.noon), "mittags"),
      (.adverb(.afternoon), "nachmittags"), (.adverb(.evening), "abends"), (.adverb(.night), "nachts"),
      (.part(.noon), "mittag, zu mittag, am mittag"),
      (.part(.afternoon), "nachmittag, am nachmittag, gegen nachmittag"),
      (.part(.evening), "abend, am abend, gegen abend, am frühen abend"),
      (.part(.night), "nacht, in der nacht"),
      (.relativePart(0, .evening), "heute abend, heut abend"), (.relativePart(0, .night), "heute nacht"),
      (.relativePart(1, .morning), "morgen früh, morgen frueh"),
      (.weekdayPart(0, .morning), "montagmorgen, montagvormittag, montagfrüh"),
      (.weekdayPart(1, .morning), "dienstagmorgen, dienstagvormittag, dienstagfrüh"),
      (.weekdayPart(2, .morning), "mittwochmorgen, mittwochvormittag, mittwochfrüh"),
      (.weekdayPart(3, .morning), "donnerstagmorgen, donnerstagvormittag, donnerstagfrüh"),
      (.weekdayPart(4, .morning), "freitagmorgen, freitagvormittag, freitagfrüh"),
      (.weekdayPart(5, .morning), "samstagmorgen, samstagvormittag, samstagfrüh"),
      (.weekdayPart(6, .morning), "sonntagmorgen, sonntagvormittag, sonntagfrüh"),
      (.weekdayPart(0, .afternoon), "montagnachmittag"), (.weekdayPart(1, .afternoon), "dienstagnachmittag"),
      (.weekdayPart(2, .afternoon), "mittwochnachmittag"), (.weekdayPart(3, .afternoon), "donnerstagnachmittag"),
      (.weekdayPart(4, .afternoon), "freitagnachmittag"), (.weekdayPart(5, .afternoon), "samstagnachmittag"),
      (.weekdayPart(6, .afternoon), "sonntagnachmittag"), (.weekdayPart(0, .noon), "montagmittag"),
      (.weekdayPart(1, .noon), "dienstagmittag"), (.weekdayPart(2, .noon), "mittwochmittag"),
      (.weekdayPart(3, .noon), "donnerstagmittag"), (.weekdayPart(4, .noon), "freitagmittag"),
      (.weekdayPart(5, .noon), "samstagmittag"), (.weekdayPart(6, .noon), "sonntagmittag"),
      (.weekdayPart(0, .evening), "montagabend"), (.weekdayPart(1, .evening), "dienstagabend"),
      (.weekdayPart(2, .evening), "mittwochabend"), (.weekdayPart(3, .evening), "donnerstagabend"),
      (.weekdayPart(4, .evening), "freitagabend"), (.weekdayPart(5, .evening), "samstagabend, sonnabendabend"),
      (.weekdayPart(6, .evening), "sonntagabend"), (.weekdayPart(0, .night), "montagnacht"),
      (.weekdayPart(1, .night), "dienstagnacht"), (.weekdayPart(2, .night), "mittwochnacht"),
      (.weekdayPart(3, .night), "donnerstagnacht"), (.weekdayPart(4, .night), "freitagnacht"),
      (.weekdayPart(5, .night), "samstagnacht"), (.weekdayPart(6, .night), "sonntagnacht"),
      (.clock(1440), "mitternacht"),
      (
        .endOfDay,
        "feierabend, bis feierabend, bis zum feierabend, vor feierabend, zum feierabend, ende des tages, bis ende des tages, bis tagesende"
      ),
      (.number(0.5), "einer halben, eine halbe, ein halbes, einem halben"),
      (.number(1.5), "anderthalb, eineinhalb"),
      (.number(2.5), "zweieinhalb"),
      (.number(3.5), "dreieinhalb"),
      (.number(1), "ein, eine, einer, einem, einen, eins"), (.number(2), "zwei"), (.number(3), "drei, ein paar"),
      (.number(4), "vier"), (.number(5), "fünf, fuenf"), (.number(6), "sechs"), (.number(7), "sieben"),
      (.number(8), "acht"), (.number(9), "neun"), (.number(10), "zehn"), (.number(11), "elf"), (.number(12), "zwölf"),
      (.number(14), "vierzehn"), (.number(15), "fünfzehn"), (.number(20), "zwanzig"), (.number(30), "dreißig"),
      (.unit(.minute), "min, minute, minuten"),
      (.unit(.hour), "h, std, stunde, stunden"),
      (.unit(.quarterHour), "viertelstunde"),
      (.unit(.day), "t, tag, tage, tagen"), (.unit(.week), "woche, wochen"),
      (.relative(0), "im laufe des tages"), (.unit(.month), "monat, monate, monaten, monats"),
      (.unit(.year), "jahr, jahre, jahren"), (.span(.week), "woche"), (.span(.weekend), "wochenende, we"),
      (.span(.month), "monat, monats"), (.span(.year), "jahr, jahres"),
      (.endOf(.week), "ende der woche, wochenende der woche"),
      (
        .endOf(.month),
        "letzten tag des monats, letzter tag des monats, ende des monats, monatsende, ende monat, letzten des monats, monatsletzten"
      ),
      (.endOf(.year), "ende des jahres, jahresende"),
      (.edge(.start), "anfang"), (.edge(.middle), "mitte"), (.edge(.end), "ende, letzter tag im, letzten tag im"),
      (.ordinal(1), "erster, ersten, erste"), (.ordinal(2), "zweiten, zweite"), (.ordinal(3), "dritten, dritte"),
      (.ordinal(4), "vierten, vierte"), (.ordinal(5), "fünften, fünfte"), (.ordinal(6), "sechsten, sechste"),
      (.ordinal(7), "siebten, siebte, siebenten"), (.ordinal(8), "achten, achte"), (.ordinal(9), "neunten, neunte"),
      (.ordinal(10), "zehnten, zehnte"), (.ordinal(11), "elften, elfte"), (.ordinal(12), "zwölften, zwölfte"),
      (.ordinal(13), "dreizehnten"), (.ordinal(14), "vierzehnten"), (.ordinal(15), "fünfzehnten"),
      (.ordinal(16), "sechzehnten"), (.ordinal(17), "siebzehnten"), (.ordinal(18), "achtzehnten"),
      (.ordinal(19), "neunzehnten"), (.ordinal(20), "zwanzigsten"), (.ordinal(21), "einundzwanzigsten"),
      (.ordinal(22), "zweiundzwanzigsten"),
      (.ordinal(23), "dreiundzwanzigsten"),
      (.ordinal(24), "vierundzwanzigsten"),
      (.ordinal(25), "fünfundzwanzigsten"), (.ordinal(26), "sechsundzwanzigsten"),
      (.ordinal(27), "siebenundzwanzigsten"),
      (.ordinal(28), "achtundzwanzigsten"), (.ordinal(29), "neunundzwanzigsten"), (.ordinal(30), "dreißigsten"),
      (.ordinal(31), "einunddreißigsten"), (.ordinal(0), "letzten, letzter"),
      (.beforeHoliday, "an, zu, über, bis, vor, nach, bis zu, rechtzeitig zu, kurz vor, am, zum, bis zum, vor dem"),
      (.calendarWeek, "kw, kalenderwoche"),
      (.holiday(.fixed(month: 12, day: 6)), "nikolaus, nikolaustag"),
      (.holiday(.fixed(month: 12, day: 24)), "heiligabend, heilig abend, heiligen abend, weihnachtsabend"),
      (.holiday(.fixed(month: 12, day: 25)), "weihnachten, ersten weihnachtstag, ersten weihnachtsfeiertag"),
      (.holiday(.fixed(month: 12, day: 26)), "zweiten weihnachtstag, zweiten weihnachtsfeiertag"),
      (.holiday(.fixed(month: 12, day: 31)), "silvester, sylvester"), (.holiday(.fixed(month: 1, day: 1)), "neujahr"),
      (.holiday(.fixed(month: 1, day: 6)), "dreikönig, heilige drei könige, dreikönigstag"),
      (.holiday(.fixed(month: 2, day: 14)), "valentinstag"), (.holiday(.fixed(month: 11, day: 1)), "allerheiligen"),
      (.holiday(.fixed(month: 10, day: 31)), "halloween, reformationstag"),
      (.holiday(.easter(0)), "ostern, ostersonntag"), (.holiday(.easter(1)), "ostermontag"),
      (.holiday(.easter(-2)), "karfreitag"), (.holiday(.easter(-3)), "gründonnerstag"),
      (.holiday(.easter(39)), "himmelfahrt, christi himmelfahrt"),
      (.holiday(.easter(49)), "pfingsten, pfingstsonntag"),
      (.holiday(.easter(50)), "pfingstmontag"), (.holiday(.easter(60)), "fronleichnam"),
      (.holiday(.easter(-48)), "rosenmontag"), (.holiday(.easter(-46)), "aschermittwoch"),
      (.next, "nächste, nächsten, nächster, nächstes, nächstem, naechste, naechsten, naechstes, naechster"),
      (.afterNext, "übernächste, übernächsten, übernächster, übernächstes, uebernaechste"),
      (.coming, "kommenden, kommende, kommendem, kommender, kommendes"),
      (.this, "diese, diesen, dieses, dieser, diesem"),
      (.last, "letzten, letzte, letztes, letzter, vergangenen, vorigen"), (.article, "der, den, dem, die, das"),
      (.insteadOf, "statt, anstatt, statt am, anstatt am, statt um, anstatt um"),
      (.of, "im, des, in"), (.ahead, "in"), (.within, "innerhalb von, innerhalb, binnen"), (.ago, "her"),
      (
        .beforeDay,
        """
        am, bis, bis zum, bis spätestens, ab, vor, vor dem, nach, nach dem, für, zum, spätestens, spätestens am, \
        ab dem, fällig, \
        fällig am, an, seit, ist, ist am, der, den, dem, bis am, im, gegen, noch, gleich, irgendwann, erst, noch am
        """
      ),
      (
        .beforeTime,
        "um, um punkt, punkt, ca, circa, zirka, etwa, ungefähr, so gegen, so ca, gegen ca, bis, ab, gegen, vor, nach, spätestens um, bis um, ab um, so um, zu, bis spätestens, von"
      ),
      (.on, "am, an, den"), (.at, "um"), (.before, "vor, vor dem"), (.after, "nach, nach dem"),
      (.through, "bis"), (.between, "zwischen, zw"), (.from, "von"), (.beforeMonth, "im, bis, ab, vor"),
      (.sharp, "pünktlich"),
      (.trailer, "spätestens, noch, allerspätestens"),
      (.and, "und, oder"),
      (.oClock, "uhr"),
      (.half, "halb"),
      (.quarter, "viertel"),
      (.threeQuarters, "dreiviertel"),
      (.past, "nach"),
      (.to, "vor"),
      (.every, "jeden, jede, jedes, jeder, alle, immer, immer am, jeweils, jeweils am, immer zum, jeweils zum"),
      (.everyOther, "jeden zweiten, jede zweite, jedes zweite, jeder zweite, jeden 2., jede 2., jedes 2., alle zwei"),
      (.except, "außer, ausser, außer am, nur nicht, aber nicht"),
      (.repeating, "wiederholen, wiederholt, wiederhole, wiederkehrend"),
      (.onDays, "am, an, den, der, jeweils am, jeweils, immer am, immer, zum, jeden, jeweils zum, jeweils den"),
      (.ofMonth, "im monat, des monats"),
      (.ofEveryMonth, "jeden monats, jedes monats, eines jeden monats, jeden monat, monatlich, eines monats"),
      (.count(1), "einmal"), (.count(2), "zweimal, zwei mal"), (.count(3), "dreimal, drei mal"), (.count(4), "viermal"),
      (.count(5), "mehrmals"), (.times, "mal, male, x"),
      (.per, "pro, am, im, in der, die, je, jede, jeden, jedes, den, das"),
      (
        .afterDone,
        """
        nach erledigung, nach dem erledigen, nach erledigt, nach erledigen, nach abschluss, nach der erledigung, nach fertigstellung, \
        nach der letzten erledigung, nach letzter erledigung, nach dem abhaken, nach dem letzten mal, nachdem erledigt
        """
      ),
      (.starts, "ab, ab dem, beginnend am, beginnend, vom, von, seit, startend am, erstmals am, erstmals"),
      (.ends, "bis, bis zum, bis zu, bis einschließlich, bis ende, endet am"),
      (.lasting, "für, für die nächsten, für die kommenden, die nächsten, über"), (.long, "lang"),
      (
        .unrepeatable(.vague),
        """
        alle paar stunden, alle paar tage, alle paar wochen, alle paar monate, alle paar jahre, hin und wieder, ab und zu, \
        von zeit zu zeit, alle naselang, gelegentlich mal
        """
      ),
      (.unrepeatable(.often), "stündlich, halbstündlich"),
      (.unrepeatable(.several), "morgens und abends, früh und abends"),
      (.workday, "werktag, wochentag, arbeitstag, werktage, werktagen, arbeitstage, arbeitstagen"),
      (.workdays, "werktags, wochentags"),
      (.repeats(.daily, every: 1), "täglich, taeglich"), (.repeats(.weekly, every: 1), "wöchentlich, woechentlich"),
      (.repeats(.monthly, every: 1), "monatlich"), (.repeats(.yearly, every: 1), "jährlich, jaehrlich"),
      (.repeats(.weekly, every: 2), "zweiwöchentlich, 14-tägig, vierzehntägig, 14-täglich, vierzehntäglich"),
      (.repeats(.monthly, every: 3), "vierteljährlich, quartalsweise, jedes quartal"),
      (.repeats(.monthly, every: 6), "halbjährlich, jedes halbjahr, alle halbe jahre, jedes halbe jahr"),
      (.repeats(.monthly, every: 2), "zweimonatlich"),
      (.weekdays(0), "montags"), (.weekdays(1), "dienstags"), (.weekdays(2), "mittwochs"),
      (.weekdays(3), "donnerstags"),
      (
        .name,
        """
        mo salah, mo farah, mo asumang, bild am sonntag, sonntag aktuell, um mitternacht shirt, welt am sonntag, heute journal, heute show, \
        morgen kommt der weihnachtsmann, freitag der 13., \
        tag der offenen tür, in 80 tagen um die welt, am morgen danach, am tag danach, feierabendbier, guten morgen, \
        guten tag, guten abend, gute nacht, täglich grüßt das murmeltier, fridays for future, mon chéri, mon cheri, mon ami, mon amour, der nächste bitte
        """
      ),
      (.weekdays(4), "freitags"), (.weekdays(5), "samstags"), (.weekdays(6), "sonntags"),
    ],
    classes: [
      .dangling: """
      der, die, das, den, dem, des, ein, eine, einen, einem, einer, zu, von, mit, für, bei, und, oder, aber, um, an, \
      auf, aus, nach, vor, bis, ab, gegen, im, am, zum, zur, vom, beim, ins, über, unter, wegen, durch, ohne, seit, \
      als, wie
      """,
      .copula: "ist, sind, war, wird, zählt, bringt, hat, fühlt, braucht, verdient",
      .preposition: """
      mit, bei, in, im, für, und, oder, von, zu, zum, zur, wegen, nach, auf, an, nicht, bitte, noch, auch, unbedingt, wieder, \
      vielleicht, evtl, eventuell, wenn, falls, weil, danke, dann
      """,
      .pronoun: "wer, der, ich",
      .naming: "guten, frau, herr, herrn, hr, familie, fam, dr, prof",
      .numbered:
        """
      kapitel, punkt, ziffer, seite, zimmer, gleis, linie, absatz, paragraph, paragraf, saal, artikel, größe, raum, halle, seiten, \
      kapiteln, aufgabe, aufgaben, übung, übungen, lektion, lektionen, band, folge, folgen, staffel, teil, nummer, \
      nr, rechnung, auftrag, akte, kiste, tor, abschnitt, version, steig, bus, tram, flug, wagen, platz, reihe, sitz, sitzplatz
      """,
      .ratio: """
      maßstab, gemisch, mischung, verhältnis, verdünnen, mischen, anmischen, beton, mörtel, skalieren, drucken, modell, unter
      """,
      .amount: """
      preis, heizung, backofen, ofen, temperatur, rate, zinsen, lautstärke, verkaufen, thermostat, rabatt, höchstens, mindestens
      """,
      .thanks: "danken, bedanken, danke",
      .occasion: "geschenk, geschenke, karte, karten, gedicht, rede, grüße, deko, dekoration, rezepte",
      .writing: "aufsatz, artikel, bericht, referat, buch, vortrag, text, gedicht",
      .rating: "bewerten, bewerte",
      .book: "johannes, lukas, markus, matthäus",
      .admission: "karten, tickets",
      .early: "frühstück, wecker, aufstehen, frühschicht",
      .travel: "zug, flug, bus, abfahrt, abflug, fähre, ice, bahn, flughafen, bahnhof, abreise",
      .beginning: "beginnt, startet, endet, öffnet, schließt, geschlossen, kommt, kommen",
      .late: """
      reservierung, babysitter, abendessen, abendbrot, kino, konzert, theater, oper, party, disco, stammtisch, tisch
      """,
      .seating: "tisch",
      .measure:
        "euro, prozent, grad, mal, liter, personen, stück, senken, erhöhen, kürzen, verlängern, steigern, reduzieren, anheben",
      .counted: """
      stunde, stock, etage, klasse, lektion, semester, reihe, platz, halbzeit, runde, mal, versuch, impfung, dosis, rate, \
      mahnung, geburtstag, hochzeitstag, auflage, liga, spieltag, schulstunde
      """,
      .street: "straße, strasse, weg, platz, allee, gasse",
      .misspelling: "morgn, mrgn, mrgen",
      .zone: "mez, mesz, utc, gmt",
      .topic: "wegen, über, ob, nach",
      .lookalike: """
      marsch, dienst, dienste, diensten, dienstes, dienstweg, dienstbar, montage, gestein, gesten, gestirn, geistern, \
      jaguar, morgan, morden, dezenter, überzogen, überwogen
      """,
    ],
    capitalDays: .asNouns, halfPrecedesHour: true, hasDottedDates: true)
}
