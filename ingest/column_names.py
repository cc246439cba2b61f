"""What museums of Europe call the columns of their tables, without case, accents and punctuation."""

import re
import unicodedata
from typing import Final

_WRITTEN: Final = {
    "id": """
        id, identifier, inventory number, inventory no, inv no, inv nr, accession number, accession
        no, object number, object no, object id, objectid, catalogue number, record number,
        reference number, shelfmark, inventarnummer, inventarnr, inventar nr, objektnummer, objekt
        id, signatur, ident nr, numero d inventaire, numero inventaire, no inventaire, cote,
        inventarisnummer, objectnummer, numero di inventario, n inventario, inventario, codice,
        segnatura, numero de inventario, inventario no, referencia, numero de registro,
        inventarienummer, foremalsnummer, museumsnummer, genstandsnummer, inventaarionumero,
        esinenumero, numer inwentarzowy, nr inwentarzowy, sygnatura, inventarni cislo, inventarne
        cislo, leltari szam, numero inventario, numar de inventar, inventarni broj, arithmos,
        numero, idno, recordid, uuid, ark, system number, priref, inv
    """,
    "title": """
        title, titles, main title, preferred title, object name, objectname, name, label, caption,
        titel, haupttitel, bezeichnung, objektbezeichnung, benennung, titre, intitule, denomination,
        appellation, benaming, naam, objectnaam, titolo, denominazione, titulo, denominacion,
        nombre, tittel, benamning, betegnelse, navn, otsikko, nimi, tytul, nazwa, nazev, nazov, cim,
        megnevezes, titlu, denumire, naslov, naziv, titlos, designacao
    """,
    "creator": """
        creator, artist, artists, maker, makers, author, photographer, made by, designer, painter,
        manufacturer, artist name, artistdisplayname, kunstler, kunstlerin, kuenstler, urheber,
        hersteller, autor, autorin, fotograf, maler, schopfer, beteiligte, auteur, artiste,
        createur, fabricant, photographe, peintre, vervaardiger, kunstenaar, maker naam, fotograaf,
        autore, artista, autori, fotografo, creador, autor a, konstnar, upphovsman, tillverkare,
        kunstner, fotograf navn, tekija, taiteilija, valmistaja, valokuvaaja, tworca, artysta,
        wykonawca, autor dila, umelec, tvurce, alkoto, keszito, muvesz, creator nume, stvaralac,
        umjetnik, umetnik, avtor, kallitechnis
    """,
    "subject": """
        subject, subjects, keywords, keyword, tags, tag, topics, topic, depicts, iconography,
        themes, schlagworte, schlagwort, schlagworter, stichworte, thema, motiv, sachgruppe,
        dargestellt, sujet, sujets, mots cles, mot cle, themes represente, trefwoorden, trefwoord,
        onderwerp, onderwerpen, soggetto, soggetti, parole chiave, tema, materia, materias, palabras
        clave, descriptores, amnesord, nyckelord, amne, emneord, emne, motiver, asiasanat, aihe,
        avainsanat, slowa kluczowe, temat, klicova slova, namet, kulcsszavak, targyszo, cuvinte
        cheie, subiect, kljucne rijeci, assunto, palavras chave, classification, category,
        categories
    """,
    "description": """
        description, descriptions, summary, abstract, notes, note, text, body, medium, materials,
        technique, material, comment, object description, beschreibung, objektbeschreibung,
        bemerkung, anmerkung, material technik, technik, inhalt, descriptif, remarques, materiaux,
        technique materiaux, beschrijving, omschrijving, opmerking, materiaal, techniek,
        descrizione, osservazioni, materia e tecnica, tecnica, descripcion, observaciones,
        materiales, beskrivning, anmarkning, teknik, beskrivelse, merknad, kuvaus, huomautus,
        materiaali, tekniikka, opis, uwagi, material i technika, popis, poznamka, leiras,
        megjegyzes, anyag, descriere, materiale, descricao, perigrafi, contents
    """,
    "date": """
        date, dates, dated, year, date made, date created, creation date, production date, period,
        object date, display date, dating, datierung, datum, jahr, entstehungszeit,
        herstellungsdatum, zeit, zeitraum, date de creation, datation, annee, epoque, siecle,
        datering, jaar, periode, vervaardigingsdatum, datazione, data, anno, periodo, cronologia,
        secolo, fecha, datacion, ano, epoca, siglo, tillverkningstid, ar, tid, aarstal, arstall,
        produksjonstid, ajoitus, aika, vuosi, valmistusaika, datowanie, czas powstania, rok, datace,
        datovani, doba vzniku, datalas, keltezes, kor, datare, datacija, datiranje, vrijeme,
        chronologia, begin date, objectdate
    """,
    "places": """
        place, places, location, place made, place of origin, origin, geography, country, city,
        region, findspot, found at, production place, coverage, spatial, ort, orte, herstellungsort,
        fundort, herkunft, entstehungsort, land, lieu, lieux, lieu de creation, provenance
        geographique, origine, pays, plaats, vervaardigingsplaats, vindplaats, herkomst, luogo,
        luoghi, provenienza, luogo di produzione, lugar, lugares, lugar de produccion, procedencia,
        pais, plats, ort plats, tillverkningsort, sted, produksjonssted, fremstillingssted, paikka,
        valmistuspaikka, miejsce, miejsce powstania, misto, misto vzniku, lokalita, hely, keszites
        helye, loc, mjesto, kraj, local
    """,
    "type": """
        type, object type, objecttype, kind, genre, objektart, objekttyp, gattung, art, type d
        objet, domaine, objecttype naam, soort, tipo, tipologia, tipo de objeto, typ, foremalstyp,
        sakord, objekttype, genstandstype, tyyppi, esinetyyppi, typ obiektu, rodzaj, druh,
        targytipus, vrsta
    """,
    "source": """
        collection, collections, holding, department, repository, fonds, sammlung, bestand,
        abteilung, museum, collectie, afdeling, musee, departement, collezione, fondo, coleccion,
        departamento, samling, avdelning, avdeling, kokoelma, kolekcja, zbior, sbirka, gyujtemeny,
        colectie, zbirka
    """,
    "image": """
        image, images, image url, imageurl, picture, photo, thumbnail, primaryimage, media, iiif,
        bild, abbildung, foto, afbeelding, immagine, imagen, bilde, billede, kuva, zdjecie, obrazek,
        kep, imagine, slika
    """,
    "landing_page": """
        url, link, web page, webpage, permalink, uri, object url, objecturl, isshownat, website,
        adresse, lien, collegamento, enlace, lank, lenke, linkki
    """,
    "rights": """
        rights, licence, license, copyright, rights statement, rechte, lizenz, droits, rechten,
        diritti, derechos, rattigheter, rettigheter, rettigheder, oikeudet, prawa, prava, jogok,
        drepturi
    """,
    "provider": """
        provider, data provider, institution, institution name, einrichtung, instelling, istituto
    """,
}
"""Part of a record -> the names of its columns, in English, German, French, Dutch, Italian, Spanish,
Portuguese, Swedish, Danish, Norwegian, Finnish, Polish, Czech, Slovak, Hungarian, Romanian, Croatian."""

NAMES: Final = {
    part: tuple(" ".join(name.split()) for name in text.split(",")) for part, text in _WRITTEN.items()
}
"""The same, each name by itself."""

MARC: Final = {
    "id": ("001", "035"),
    "title": ("245", "130", "240"),
    "creator": ("100", "110", "700", "710"),
    "subject": ("650", "600", "653"),
    "description": ("520", "500", "505"),
    "date": ("264", "260"),
    "places": ("651", "752"),
    "type": ("655",),
    "source": ("852",),
    "rights": ("540", "506"),
    "provider": ("040",),
}
"""Part of a record -> the MARC fields for it, where columns are named by their tags."""


def folded(name: str) -> str:
    """A name as names are compared.

    >>> folded("Künstler/in"), folded("Numéro d'inventaire"), folded("objectNumber")
    ('kunstler in', 'numero d inventaire', 'object number')
    """
    divided = re.sub(r"(?<=[a-zà-ÿ])(?=[A-Z])", " ", name)
    plain = unicodedata.normalize(
        "NFKD", divided.casefold().replace("ł", "l").replace("ø", "o").replace("æ", "ae")
    )
    letters = "".join(mark for mark in plain if not unicodedata.combining(mark))
    return " ".join(re.findall(r"[a-z0-9]+", letters))
