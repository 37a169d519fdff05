extension Language {
  static let german = Language(
    weekdays: [
      "montag, mo", "dienstag, di", "mittwoch, mi", "donnerstag, do", "freitag, fr", "samstag, sa, sonnabend",
      "sonntag, so",
    ],
    months: [
      "januar, jan, jänner", "februar, feb", "märz, mär, maerz", "april, apr", "mai", "juni, jun", "juli, jul",
      "august, aug", "september, sep, sept", "oktober, okt", "november, nov", "dezember, dez",
    ],
    lexemes: [
      (.relative(-2), "vorgestern"), (.relative(-1), "gestern"), (.relative(0), "heute"), (.relative(1), "morgen"),
      (.relative(2), "übermorgen, uebermorgen"),
      (.part(.morning), "früh, vormittag, frueh, in der früh, am morgen, am vormittag, morgen"),
      (.adverb(.morning), "morgens, vormittags, frühmorgens"), (.adverb(.noon), "mittags"),
      (.adverb(.afternoon), "nachmittags"), (.adverb(.evening), "abends"), (.adverb(.night), "nachts"),
      (.part(.noon), "mittag, zu mittag, am mittag"),
      (.part(.afternoon), "nachmittag, am nachmittag"), (.part(.evening), "abend, am abend"),
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
      (.weekdayPart(6, .evening), "sonntagabend"),
      (.clock(1440), "mitternacht"),
      (.number(0.5), "einer halben, eine halbe, ein halbes, einem halben"), (.number(1.5), "anderthalb, eineinhalb"),
      (.number(1), "ein, eine, einer, einem, einen, eins"), (.number(2), "zwei"), (.number(3), "drei"),
      (.number(4), "vier"), (.number(5), "fünf, fuenf"), (.number(6), "sechs"), (.number(7), "sieben"),
      (.number(8), "acht"), (.number(9), "neun"), (.number(10), "zehn"), (.number(11), "elf"), (.number(12), "zwölf"),
      (.number(20), "zwanzig"), (.number(30), "dreißig"),
      (.unit(.minute), "min, minute, minuten"), (.unit(.hour), "h, std, stunde, stunden"),
      (.unit(.day), "t, tag, tage, tagen"), (.unit(.week), "woche, wochen"), (.unit(.month), "monat, monate, monaten"),
      (.unit(.year), "jahr, jahre, jahren"), (.span(.week), "woche"), (.span(.weekend), "wochenende, we"),
      (.span(.month), "monat"), (.span(.year), "jahr"),
      (.endOf(.week), "ende der woche, wochenende der woche"),
      (.endOf(.month), "ende des monats, monatsende, ende monat"),
      (.endOf(.year), "ende des jahres, jahresende"),
      (.edge(.start), "anfang"), (.edge(.middle), "mitte"), (.edge(.end), "ende"),
      (.ordinal(1), "erster, ersten, erste"), (.ordinal(2), "zweiten, zweite"), (.ordinal(3), "dritten, dritte"),
      (.ordinal(4), "vierten"), (.ordinal(0), "letzten, letzter"),
      (.next, "nächste, nächsten, nächster, nächstes, nächstem, naechste, naechsten, naechstes, naechster"),
      (.afterNext, "übernächste, übernächsten, übernächster, übernächstes, uebernaechste"),
      (.coming, "kommenden, kommende, kommender, kommendes"), (.this, "diese, diesen, dieses, dieser, diesem"),
      (.last, "letzten, letzte, letztes, letzter, vergangenen, vorigen"), (.article, "der, den, dem, die, das"),
      (.of, "im, des, in"), (.ahead, "in"), (.within, "innerhalb von, innerhalb, binnen"), (.ago, "her"),
      (
        .beforeDay,
        """
        am, bis, bis zum, bis spätestens, ab, vor, vor dem, nach, nach dem, für, zum, spätestens, spätestens am, ab dem, fällig, \
        fällig am, an, seit, der, den, dem, bis am, im, gegen, noch, gleich, irgendwann, erst, noch am
        """
      ),
      (.beforeTime, "um, bis, ab, gegen, vor, nach, spätestens um, bis um, ab um, so um, zu, bis spätestens, von"),
      (.on, "am, an, den"), (.at, "um"), (.before, "vor, vor dem"), (.after, "nach, nach dem"),
      (.through, "bis"), (.between, "zwischen"), (.from, "von"), (.beforeMonth, "im, bis, ab, vor"),
      (.sharp, "pünktlich"), (.and, "und, oder"), (.oClock, "uhr"), (.half, "halb"), (.quarter, "viertel"),
      (.past, "nach"),
      (.to, "vor"), (.every, "jeden, jede, jedes, jeder, alle, jeden zweiten"),
      (.workday, "werktag, wochentag, arbeitstag"), (.repetition(first: 0), "täglich, taeglich"),
      (.repetition(first: nil), "wöchentlich, monatlich, jährlich, stündlich"),
      (.weekdays(0), "montags"), (.weekdays(1), "dienstags"), (.weekdays(2), "mittwochs"),
      (.weekdays(3), "donnerstags"),
      (
        .name,
        """
        bild am sonntag, welt am sonntag, heute journal, heute show, morgen kommt der weihnachtsmann, freitag der 13., \
        tag der offenen tür, in 80 tagen um die welt, am morgen danach, am tag danach, feierabendbier, guten morgen, guten tag, guten abend, gute nacht, fridays for future, der nächste bitte
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
      .preposition: "mit, bei, in, im, für, und, oder, von, zu, zum, zur, wegen, nach, auf, an",
      .pronoun: "wer, der, ich",
      .naming: "guten, frau, herr, herrn, hr, familie, fam, dr, prof",
      .numbered:
        """
      kapitel, seite, zimmer, gleis, linie, absatz, paragraph, paragraf, saal, artikel, größe, raum, halle, seiten, \
      kapiteln, aufgabe, aufgaben, übung, übungen, lektion, lektionen, band, folge, folgen, staffel, teil, nummer, \
      nr, rechnung, auftrag, akte, kiste, tor, abschnitt, version, steig, bus, tram, flug, wagen, platz, reihe
      """,
      .ratio: """
      maßstab, gemisch, mischung, verhältnis, verdünnen, mischen, anmischen, beton, mörtel, skalieren, drucken, modell, unter
      """,
      .amount: """
      preis, heizung, backofen, ofen, temperatur, rate, zinsen, lautstärke, verkaufen, thermostat, rabatt, höchstens, mindestens
      """,
      .rating: "bewerten, bewerte",
      .book: "johannes, lukas, markus, matthäus",
      .admission: "karten, tickets",
      .early: "frühstück, wecker, aufstehen, frühschicht",
      .late: "abendessen, abendbrot, kino, konzert, theater, oper, party, disco, stammtisch",
      .measure:
        "euro, prozent, grad, mal, liter, personen, stück, senken, erhöhen, kürzen, verlängern, steigern, reduzieren, anheben",
      .street: "straße, strasse, weg, platz, allee, gasse",
      .misspelling: "morgn, mrgn, mrgen",
      .topic: "wegen, über, ob, nach",
      .lookalike: """
      marsch, dienst, dienste, diensten, dienstes, dienstweg, dienstbar, montage, gestein, gesten, gestirn, geistern, \
      jaguar, morgan, morden, dezenter, überzogen, überwogen
      """,
    ],
    capitalDays: .asNouns, halfPrecedesHour: true, hasDottedDates: true)
}
