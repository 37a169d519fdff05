import ToDoModel

extension Language {
  static let italian = Language(
    weekdays: [
      "lunedì, lunedi, lun", "martedì, martedi, mar", "mercoledì, mercoledi, mer", "giovedì, giovedi, gio",
      "venerdì, venerdi, ven", "sabato, sab", "domenica, dom",
    ],
    months: [
      "gennaio, gen", "febbraio, feb", "marzo", "aprile, apr", "maggio", "giugno", "luglio", "agosto", "settembre",
      "ottobre, ott", "novembre, nov", "dicembre, dic",
    ],
    lexemes: [
      (.relative(-2), "l'altro ieri"),
      (.relative(-1), "ieri"),
      (.relative(0), "oggi, oggi stesso"),
      (.relative(1), "domani"),
      (.relative(2), "dopodomani"),
      (.part(.morning), "mattina, di mattina, del mattino, mattino, in mattinata, nella mattinata"),
      (.part(.noon), "mezzogiorno"),
      (.part(.afternoon), "pomeriggio, di pomeriggio, del pomeriggio, nel pomeriggio"),
      (.part(.evening), "sera, di sera, della sera, in serata"),
      (.part(.night), "notte, di notte"), (.relativePart(0, .evening), "stasera"),
      (.relativePart(0, .night), "stanotte"), (.relativePart(1, .morning), "domattina"),
      (.relativePart(0, .morning), "stamattina"), (.clock(720), "mezzogiorno"), (.clock(780), "all'una"),
      (.clock(1440), "mezzanotte"),
      (.endOfDay, "fine giornata, fine della giornata"),
      (.number(0.5), "mezza"), (.number(1), "un, una, un'"), (.number(2), "due"), (.number(3), "tre"),
      (.number(4), "quattro"),
      (.number(5), "cinque"),
      (.number(6), "sei"),
      (.number(7), "sette"),
      (.number(8), "otto"),
      (.number(9), "nove"), (.number(10), "dieci"), (.number(11), "undici"), (.number(12), "dodici"),
      (.number(15), "quindici"), (.number(20), "venti"), (.number(30), "trenta"),
      (.unit(.minute), "min, minuto, minuti"), (.unit(.hour), "h, ora, ore, un'ora"), (.unit(.halfHour), "mezz'ora"),
      (.unit(.quarterHour), "quarto d'ora"), (.unit(.day), "giorno, giorni"),
      (.unit(.week), "settimana, settimane"), (.unit(.month), "mese, mesi"), (.unit(.year), "anno, anni"),
      (.span(.week), "settimana"), (.span(.weekend), "weekend, fine settimana"), (.span(.month), "mese"),
      (.span(.year), "anno, l'anno"),
      (
        .endOf(.month),
        "ultimo giorno del mese, l'ultimo giorno del mese, fine mese, la fine del mese, fine del mese"
      ),
      (.endOf(.year), "fine anno"), (.ordinal(1), "primo"), (.ordinal(2), "secondo"),
      (.ordinal(3), "terzo"), (.ordinal(0), "ultimo, l'ultimo"),
      (.edge(.start), "inizio, a inizio, inizio di"), (.edge(.middle), "metà, a metà"),
      (.edge(.end), "fine, a fine, fine di"),
      (.next, "prossimo, prossima"), (.this, "questo, questa"), (.last, "scorso, scorsa"), (.article, "il, la, l'"),
      (.insteadOf, "invece di, invece del, invece che, al posto di"),
      (.of, "di, del, della"), (.ahead, "tra, fra"), (.within, "entro, nei prossimi"), (.ago, "fa"),
      (
        .beforeDay,
        """
        il, entro, entro il, entro e non oltre, entro e non oltre il, entro la, prima di, prima del, per, per il, \
        dal, da, fino a, fino al, dopo, la, lo, al, \
        a, a partire da, nel
        """
      ),
      (
        .beforeTime,
        "alle, alle ore, ore, h, all', alla, a, entro le, entro, prima delle, prima di, verso le, dalle, dopo le, fino alle, per le, delle"
      ),
      (.on, "il, la, lo"),
      (.at, "alle, alle ore, ore, alla"),
      (.before, "prima di, prima del"),
      (.after, "dopo, dopo il"),
      (.through, "alle, a, al, -"), (.between, "tra le, fra le, tra, fra"), (.from, "dalle"),
      (.beforeMonth, "a, in, entro, prima di"),
      (.sharp, "in punto"),
      (.trailer, "al più tardi, al massimo, senza falta"),
      (.and, "e, o"),
      (.oClock, "ore"),
      (.half, "mezza, mezzo"),
      (.quarter, "un quarto"),
      (
        .name,
        "sole 24 ore, corriere della sera, mattino di padova, venerdì 13, domenica in, giro del mondo in 80 giorni, 8 e mezzo, sabato del villaggio"
      ),
      (
        .beforeHoliday, "a, alla, entro, prima di, fino a, dopo, il, entro il, prima del, il giorno di, subito prima di"
      ),
      (.holiday(.fixed(month: 12, day: 24)), "vigilia di natale, la vigilia di natale"),
      (.holiday(.fixed(month: 12, day: 25)), "natale, giorno di natale"),
      (.holiday(.fixed(month: 12, day: 26)), "santo stefano"),
      (.holiday(.fixed(month: 12, day: 31)), "san silvestro"),
      (.holiday(.fixed(month: 1, day: 1)), "capodanno"),
      (.holiday(.fixed(month: 1, day: 6)), "epifania, befana, l'epifania"),
      (.holiday(.fixed(month: 2, day: 14)), "san valentino"), (.holiday(.fixed(month: 8, day: 15)), "ferragosto"),
      (.holiday(.fixed(month: 10, day: 31)), "halloween"), (.holiday(.fixed(month: 11, day: 1)), "ognissanti"),
      (.holiday(.easter(0)), "pasqua"), (.holiday(.easter(1)), "pasquetta, lunedì dell'angelo"),
      (.holiday(.easter(-2)), "venerdì santo"), (.every, "ogni, tutti i, tutte le"),
      (.outOfTwo, "sì e uno no, si e uno no, su due"), (.parts(.morning), "mattine"), (.parts(.evening), "sere"),
      (.parts(.afternoon), "pomeriggi"), (.parts(.night), "notti"),
      (.except, "tranne, eccetto, tranne il, salvo"),
      (.repeating, "ripetere"), (.onDays, "il, lo, la, l', di, al, ogni, tutti i"), (.ofMonth, "del mese"),
      (.ofEveryMonth, "di ogni mese, ogni mese, di tutti i mesi, tutti i mesi, al mese"),
      (.count(1), "una volta"), (.count(2), "due volte"), (.count(3), "tre volte"), (.count(4), "più volte"),
      (.times, "volte"), (.per, "al, alla, a, all', per, ogni"),
      (
        .afterDone,
        """
        dopo averlo fatto, dopo averla fatta, dopo il completamento, dopo completamento, dopo averlo completato, dopo aver finito, \
        dopo l'ultima volta, dall'ultima volta
        """
      ),
      (.starts, "dal, da, a partire dal, a partire da, dalla, iniziando il"),
      (.ends, "fino al, fino a, fino alla, sino al, fino a fine"),
      (.lasting, "per, per i prossimi, per le prossime, nei prossimi, durante"),
      (
        .unrepeatable(.vague),
        "ogni tanto, di tanto in tanto, ogni pochi giorni, ogni poche settimane, ogni qualche giorno, ogni paio di giorni"
      ),
      (.unrepeatable(.several), "mattina e sera, mattino e sera"), (.unrepeatable(.often), "ogni ora"),
      (.weekdays(6), "domeniche, le domeniche"), (.weekdays(5), "sabati, i sabati"),
      (.workday, "giorno feriale, giorni feriali, giorno lavorativo, giorni lavorativi"),
      (.repeats(.daily, every: 1), "quotidianamente, giornalmente"), (.repeats(.weekly, every: 1), "settimanalmente"),
      (.repeats(.monthly, every: 1), "mensilmente"), (.repeats(.yearly, every: 1), "annualmente"),
      (.repeats(.monthly, every: 3), "trimestralmente, ogni trimestre"),
      (.repeats(.monthly, every: 6), "semestralmente, ogni semestre"),
      (
        .repeats(.daily, every: 2),
        "a giorni alterni, giorni alterni, un giorno sì e uno no, un giorno sì e un giorno no"
      ),
      (.repeats(.weekly, every: 2), "a settimane alterne, una settimana sì e una no"),
    ],
    classes: [
      .dangling: """
      il, lo, la, i, gli, le, un, una, di, del, della, delle, dei, alle, dalle, a, al, alla, e, o, per, con, senza, \
      in, su, da, dal, entro, \
      prima, fino, che
      """,
      .copula: "è, sono, era, conta, ha, sarà, porta, merita",
      .preposition: """
      in, a, alla, dal, dalla, su, nel, nella, presso, con, da, per, e, o, al, del, di, se, quando, perché, grazie, senza, pf
      """,
      .naming: "signora, signor",
      .numbered: """
      n, n°, nº, nr, num, capitolo, capitoli, sala, aula, pagina, pagine, esercizio, esercizi, domanda, domande, numero, bus, linea, \
      versione, volume, \
      stagione, episodio, binario, fattura, lezione, piano, articolo, python
      """,
      .ratio: "scala, mescolare, diluire, stampare, rapporto, formato",
      .amount: """
      prezzo, vendere, forno, termostato, temperatura, riscaldamento, affitto, abbassare, taglia, sconto
      """,
      .thanks: "ringraziare, grazie",
      .admission: "biglietti, biglietto",
      .rating: "dare, valutare",
      .book: "giovanni, luca, marco, matteo, salmo",
      .travel: "treno, volo, aereo, autobus, pullman, partenza, traghetto, aeroporto, stazione, navetta",
      .late: "cena, cenare, festa, concerto, teatro, cinema, opera, aperitivo, discoteca", .measure: "euro",
      .street: "via, piazza, viale, corso, largo, vicolo, stazione, ponte",
      .work: "leggere, rileggere, ascoltare, guardare, vedere, rivedere, cantare, suonare, imparare",
      .ordinalSuffix: "º, ª, °",
      .topic: "su, per",
      .lookalike: """
      domani, domanda, domenico, aprire, aprite, aprilo, maggior, mangio, domestica, dimentica, salato, domeniche, \
      domandi, domini, veneri, gennaro, sanato, dominica
      """,
    ],
    capitalDays: .never)
}
