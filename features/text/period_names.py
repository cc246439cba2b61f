"""Periods, dynasties and reigns that catalogues name, with the years that they are taken to span.

The years are those that handbooks and museums commonly print: for Egypt the chronology of the Oxford
History of Ancient Egypt (Shaw, 2000), for the rest mostly that of the Heilbrunn Timeline of Art History
(The Metropolitan Museum of Art) and of the British Museum's terms of period. Where scholars differ, the
wider reading is taken. Names that mean different times in different countries and that no word beside
them tells apart (Colonial, Imperial, Jin, Formative) are left out.

A line holds the first year, the last year, and names with commas between them. A name behind an asterisk
stands for a time wherever it is written; any other only in a date field or beside a word such as period
or dynasty, since Edo is a town too and Victorian a style. Marks on letters do not matter.
"""

from typing import Final

from features.text.years import Interval

_EGYPT = """
-5300 -3000 *Predynastic, *Pre-Dynastic
-4400 -4000 *Badarian
-4000 -3500 *Naqada I, *Nagada I, *Amratian
-3500 -3200 *Naqada II, *Nagada II, *Gerzean
-3200 -3000 *Naqada III, *Nagada III
-4000 -3000 *Naqada, *Nagada
-3000 -2686 *Early Dynastic, Archaic Egypt, Thinite
-2686 -2160 *Old Kingdom, Altes Reich, Ancien Empire
-2160 -2055 *First Intermediate Period, *1st Intermediate Period, First Intermediate, Erste Zwischenzeit
-2055 -1650 *Middle Kingdom, Mittleres Reich, Moyen Empire
-1650 -1550 *Second Intermediate Period, *2nd Intermediate Period, Second Intermediate, Zweite Zwischenzeit
-1650 -1550 *Hyksos
-1550 -1069 *New Kingdom, Neues Reich, Nouvel Empire
-1352 -1323 *Amarna Period, Amarna
-1295 -1069 *Ramesside, Ramessid
-1069 -664 *Third Intermediate Period, *3rd Intermediate Period, Third Intermediate, Dritte Zwischenzeit
-747 -656 *Kushite
-664 -525 *Saite
-664 -332 *Late Period, Egyptian Late, Late Egyptian, Late Dynastic, Spätzeit, Basse Époque
-332 -30 *Ptolemaic, Ptolemäerzeit, ptolemäisch, Ptolémaïque
-30 395 *Greco-Roman Egypt, *Roman Egypt
-332 395 *Graeco-Roman, *Greco-Roman
-30 641 Coptic
-300 350 *Meroitic
350 550 Ballana
"""

_NEAR_EAST = """
-10000 -4500 *Neolithic, Jungsteinzeit, Neolithikum, Néolithique, Neolitico
-30000 -10000 *Upper Paleolithic, *Upper Palaeolithic, Jungpaläolithikum
-100000 -10000 *Paleolithic, *Palaeolithic, Altsteinzeit
-10000 -4000 *Mesolithic
-6100 -5100 Halaf
-5500 -4000 *Ubaid
-4500 -3300 *Chalcolithic, Copper Age, Kupferzeit
-4000 -3100 *Uruk period, Uruk
-3100 -2900 *Jemdet Nasr, *Jamdat Nasr, *Jamdet Nasr
-2900 -2350 *Early Dynastic III, *Sumerian, Early Sumerian
-2350 -2150 *Akkadian, Agade
-2150 -2110 Lagash II, Second Dynasty of Lagash
-2112 -2004 *Ur III, *Neo-Sumerian, *Third Dynasty of Ur
-2000 -1800 *Isin-Larsa
-2000 -1600 *Old Babylonian, *First Dynasty of Babylon
-2000 -1750 *Old Assyrian
-1600 -1155 *Kassite
-1600 -1000 *Middle Babylonian
-1400 -934 *Middle Assyrian
-911 -609 *Neo-Assyrian, Assyrian
-626 -539 *Neo-Babylonian
-1650 -1180 *Hittite
-1500 -1300 *Mitanni, *Mitannian
-1200 -700 *Neo-Hittite, *Syro-Hittite
-2700 -1600 Old Elamite
-1500 -1100 Middle Elamite
-1000 -539 Neo-Elamite
-860 -590 *Urartian, *Urartu
-700 -550 Median
-1200 -539 Phoenician
-550 -330 *Achaemenid, *Achaemenian
-312 -63 *Seleucid
-247 224 *Parthian, *Arsacid
224 651 *Sasanian, *Sassanian, *Sassanid, *Sasanid
-300 106 *Nabataean, *Nabatean
-3300 -1000 *Bronze Age, Bronzezeit, Âge du bronze, Età del bronzo, Edad del Bronce, Bronstijd
-3300 -2000 *Early Bronze Age, Frühbronzezeit, Frühe Bronzezeit, Bronze ancien
-2000 -1550 *Middle Bronze Age, Mittelbronzezeit, Mittlere Bronzezeit, Bronze moyen
-1550 -1000 *Late Bronze Age, Spätbronzezeit, Späte Bronzezeit, Bronze final
-1200 -50 *Iron Age, Eisenzeit, Âge du fer, Età del ferro, Edad del Hierro, IJzertijd
-800 -450 *Hallstatt
-450 -50 *La Tène
"""

_GREECE_AND_ROME = """
-3000 -1100 *Minoan
-3200 -2000 *Early Cycladic, *Early Minoan, *Early Helladic
-3200 -1100 *Cycladic, *Helladic
-2000 -1600 *Middle Cycladic, *Middle Minoan, *Middle Helladic
-1600 -1100 *Late Cycladic, *Late Minoan, *Late Helladic
-1600 -1100 *Mycenaean, *Mycenean
-1050 -700 *Protogeometric, *Proto-Geometric, Geometric, Greek Geometric
-750 -600 Orientalizing, Orientalising
-720 -620 *Protocorinthian
-1050 -480 Cypro-Geometric, Cypro-Archaic
-900 -700 Villanovan
-900 -27 *Etruscan
-700 -480 Archaic, Greek Archaic, archaisch, archaïque
-480 -323 Classical, Classical Greek, Greek Classical
-323 -31 *Hellenistic, hellenistisch, hellénistique, ellenistico, helenístico
-509 -27 *Roman Republic, *Roman Republican, Republican Roman, Late Republican
-753 476 Roman, römisch, romain
-27 476 *Roman Imperial, Imperial Roman, *Roman Empire, Römische Kaiserzeit, Kaiserzeit
-27 14 *Augustan
-27 68 *Julio-Claudian
54 68 Neronian
69 96 *Flavian
98 117 *Trajanic
117 138 *Hadrianic
138 193 Antonine
193 235 *Severan
306 337 *Constantinian
200 700 *Late Antique, *Late Antiquity, *Late Roman, Spätantike, Antiquité tardive
200 600 *Early Christian
"""

_MIDDLE_AGES = """
330 1453 *Byzantine, byzantinisch, byzantin, bizantino
330 726 *Early Byzantine
726 842 *Iconoclastic period
843 1204 *Middle Byzantine
867 1056 Macedonian Renaissance, Macedonian dynasty
1081 1185 *Komnenian, *Comnenian, Comnenean
1204 1453 *Late Byzantine
1453 1800 *Post-Byzantine
1261 1453 *Palaiologan, *Palaeologan
300 700 *Migration Period, Völkerwanderungszeit
450 1066 *Anglo-Saxon
481 751 *Merovingian, merowingisch, mérovingien
568 774 Lombard, Langobardic
418 711 *Visigothic
750 900 *Carolingian, karolingisch, carolingien
793 1066 *Viking Age, Viking period, Viking, Wikingerzeit
919 1024 *Ottonian, ottonisch
1024 1125 *Salian
1138 1254 *Hohenstaufen
1000 1200 Romanesque, romanisch, romanico, románico
1066 1154 Norman
1150 1500 Gothic, gotisch, gothique, gotico, gótico
1350 1550 Late Gothic, Spätgotik, International Gothic
500 1500 Medieval, Mediaeval, *Middle Ages, Mittelalter, Moyen Âge, Medioevo, Edad Media, Middeleeuwen
500 1000 *Early Medieval, *Early Middle Ages, Frühmittelalter
1000 1300 *High Medieval, *High Middle Ages, Hochmittelalter
1300 1500 *Late Medieval, *Late Middle Ages, Spätmittelalter
1154 1485 Plantagenet
862 1598 *Rurikid
"""

_EUROPE = """
1400 1600 Renaissance, Rinascimento, Renacimiento
1400 1490 Early Renaissance
1490 1530 *High Renaissance
1520 1600 Late Renaissance, Mannerist, Mannerism, Manierismus
1500 1800 Early Modern, Frühe Neuzeit
1600 1750 Baroque, Barock, Barocco, Barroco
1720 1780 Rococo, Rokoko
1750 1830 Neoclassical, Neo-Classical, Neoclassicism, Klassizismus, Enlightenment
1800 1850 Romantic
1485 1603 Tudor
1558 1603 Elizabethan
1603 1625 Jacobean
1603 1714 Stuart
1625 1649 Caroline
1649 1660 Commonwealth
1660 1688 *Restoration period
1689 1702 William and Mary
1702 1714 Queen Anne
1714 1837 Georgian
1811 1820 Regency
1837 1901 Victorian
1901 1910 Edwardian
1613 1917 Romanov
1643 1715 Louis XIV
1715 1723 Régence
1715 1774 Louis XV
1774 1792 Louis XVI
1795 1799 Directoire, Directory period
1799 1804 Consulate, Consulat
1804 1815 First Empire, Premier Empire, Empire, Napoleonic
1815 1848 Biedermeier, Vormärz
1830 1848 *July Monarchy, Louis-Philippe
1852 1870 *Second Empire
1871 1914 *Belle Époque, *Wilhelminian, Gründerzeit
1880 1910 Art Nouveau, Jugendstil
1918 1939 *Interwar, Art Deco
1919 1933 *Weimar Republic
1922 1991 *Soviet era, Soviet
1789 1830 Federal
1865 1900 *Gilded Age
"""

_ISLAM = """
661 750 *Umayyad
750 1258 *Abbasid
756 1031 *Spanish Umayyad, *Umayyad of Spain
819 1005 *Samanid
868 905 *Tulunid
800 909 *Aghlabid
932 1062 *Buyid
909 1171 *Fatimid
977 1186 *Ghaznavid
1010 1090 Taifa
1040 1157 *Great Seljuq, *Great Seljuk
1040 1307 *Seljuq, *Seljuk, *Saljuq
1077 1307 *Anatolian Seljuq, *Seljuq of Rum, *Seljuks of Rum
1062 1147 *Almoravid
1130 1269 *Almohad
1127 1251 *Zangid
1171 1260 *Ayyubid
1150 1215 *Ghurid
1232 1492 *Nasrid
1244 1465 *Marinid
1250 1517 *Mamluk, *Mameluke, *Mamluke
1256 1353 *Ilkhanid, *Il-Khanid
1314 1393 *Muzaffarid, *Injuid
1336 1432 *Jalayirid
1370 1507 *Timurid
1378 1508 *Aq Qoyunlu, *Aqqoyunlu
1375 1468 *Qara Qoyunlu
1299 1922 *Ottoman, osmanisch, ottomano
1501 1722 *Safavid, *Safawid
1736 1796 *Afsharid
1751 1794 *Zand
1789 1925 *Qajar
1925 1979 *Pahlavi
1500 1599 *Shaybanid
"""

_INDIA = """
-2600 -1900 *Indus Valley, *Harappan
-322 -185 *Maurya, *Mauryan
-185 -73 *Shunga, *Sunga
-100 200 *Satavahana
30 375 *Kushan, *Kushana
320 550 *Gupta
550 750 *Post-Gupta
543 753 Chalukya, *Chalukyan
575 897 *Pallava
750 973 *Rashtrakuta
700 1200 *Pala, Pala-Sena
730 1036 *Pratihara, *Gurjara-Pratihara
850 1279 *Chola
1026 1343 *Hoysala
831 1310 *Chandella, *Chandela
1070 1230 Sena
1078 1434 Eastern Ganga
1206 1526 *Delhi Sultanate
1336 1646 *Vijayanagara, *Vijayanagar
1347 1527 *Bahmani
1526 1858 *Mughal, *Moghul, Mogul
1529 1736 *Nayak, Nayaka
1674 1818 *Maratha
1799 1849 *Sikh Empire
1858 1947 *British Raj
1556 1605 Akbar
1605 1627 Jahangir
1628 1658 Shah Jahan
1658 1707 Aurangzeb
400 750 Licchavi
1200 1769 Malla
"""

_CHINA = """
-5000 -3000 *Yangshao
-3300 -2050 *Majiayao
-3300 -2200 *Liangzhu
-2600 -1900 *Longshan
-2400 -1900 *Qijia
-4700 -2900 *Hongshan
-2070 -1600 Xia
-1600 -1046 Shang
-1046 -256 Zhou
-1046 -771 *Western Zhou
-771 -256 *Eastern Zhou
-770 -476 Spring and Autumn
-475 -221 *Warring States
-221 -206 Qin
-206 220 Han
-206 9 *Western Han
25 220 *Eastern Han
220 280 Three Kingdoms
220 589 *Six Dynasties
265 316 *Western Jin
317 420 *Eastern Jin
386 534 *Northern Wei
534 550 *Eastern Wei
535 556 *Western Wei
550 577 *Northern Qi
557 581 *Northern Zhou
420 589 *Northern and Southern Dynasties, *Southern and Northern Dynasties
581 618 Sui
618 907 Tang
907 960 *Five Dynasties
907 1125 Liao
960 1279 Song, Sung
960 1127 *Northern Song, *Northern Sung
1127 1279 *Southern Song, *Southern Sung
1038 1227 *Western Xia, Xixia
1271 1368 Yuan
1368 1644 Ming
1368 1398 *Hongwu
1403 1424 *Yongle
1426 1435 *Xuande
1436 1449 *Zhengtong
1450 1456 *Jingtai
1457 1464 *Tianshun
1465 1487 *Chenghua
1488 1505 *Hongzhi
1506 1521 *Zhengde
1522 1566 *Jiajing, *Chia-ching
1567 1572 *Longqing
1573 1620 *Wanli, *Wan-li
1621 1627 *Tianqi
1628 1644 *Chongzhen
1620 1683 *Transitional period
1644 1911 Qing, Ch'ing, Manchu
1644 1661 *Shunzhi
1662 1722 *Kangxi, *K'ang-hsi, Kang Xi
1723 1735 *Yongzheng, *Yung-cheng
1736 1795 *Qianlong, *Ch'ien-lung, *Chien-lung
1796 1820 *Jiaqing
1821 1850 *Daoguang, *Tao-kuang
1851 1861 *Xianfeng
1862 1874 *Tongzhi
1875 1908 *Guangxu, *Kuang-hsu
1909 1911 *Xuantong
1912 1949 Republic of China, Chinese Republic
1966 1976 *Cultural Revolution
"""

_JAPAN_AND_KOREA = """
-10500 -300 *Jomon
-300 300 *Yayoi
250 552 Kofun, Tumulus
538 710 Asuka
645 710 Hakuho
710 794 Nara
729 749 Tempyo, Tenpyo
794 1185 *Heian
898 1185 Fujiwara
1185 1333 Kamakura
1333 1392 *Nanbokucho, *Nambokucho
1392 1573 *Muromachi, *Ashikaga
1467 1615 *Sengoku
1573 1615 *Momoyama, *Azuchi-Momoyama
1596 1615 Keicho
1615 1868 Edo, *Tokugawa
1624 1644 Kan'ei
1661 1673 Kanbun
1673 1681 Enpo, Empo
1688 1704 *Genroku
1716 1736 Kyoho
1751 1764 Horeki
1764 1772 Meiwa
1772 1781 An'ei
1781 1789 Tenmei, Temmei
1789 1801 Kansei
1801 1804 Kyowa
1804 1818 Bunka
1818 1830 Bunsei
1804 1830 *Bunka-Bunsei
1830 1844 Tenpo, Tempo
1844 1848 Koka
1848 1854 Kaei
1854 1860 Ansei
1861 1864 Bunkyu
1865 1868 Keio
1868 1912 *Meiji
1912 1926 *Taisho
1926 1989 *Showa
1989 2019 *Heisei
-57 668 Three Kingdoms of Korea
-57 676 Old Silla
676 935 *Unified Silla
-57 935 Silla
-18 660 *Baekje, *Paekche
-37 668 *Goguryeo, *Koguryo
42 562 Gaya, Kaya
918 1392 *Goryeo, *Koryo
1392 1910 *Joseon, *Choson
"""

_SOUTHEAST_ASIA = """
-3600 300 *Ban Chiang
-1000 100 *Dong Son
68 550 Funan
500 1000 *Dvaravati, *Mon-Dvaravati
550 802 *Pre-Angkor, *Pre-Angkorian
802 1431 *Angkor period, *Angkorian, Angkor, Khmer
1002 1201 Second Angkor
650 1300 *Srivijaya
732 1000 Central Javanese
930 1530 East Javanese, Eastern Javanese
1293 1527 *Majapahit
849 1287 Pagan, Bagan
192 1832 Champa
1802 1945 *Nguyen
1238 1438 *Sukhothai
1292 1775 *Lan Na, *Lanna
1350 1767 *Ayutthaya, *Ayudhya
1782 1932 *Rattanakosin, Bangkok
1752 1885 *Konbaung
1206 1368 *Mongol Empire
"""

_AFRICA_AND_AMERICA = """
-500 200 *Nok
1270 1974 Solomonic
100 940 *Aksumite, *Axumite
1632 1855 *Gondarine, Gondar
-1500 -400 *Olmec
-900 -200 *Chavin, *Chavín de Huántar
-2000 250 *Preclassic, *Pre-Classic
-2000 -1000 Early Preclassic
-1000 -300 Middle Preclassic
-300 250 Late Preclassic
250 900 *Maya Classic, *Classic Maya, Classic
250 600 *Early Classic
600 900 *Late Classic
900 1200 *Early Postclassic
1200 1521 *Late Postclassic, Aztec, Mexica
900 1521 *Postclassic, *Post-Classic
100 650 *Teotihuacan
-500 750 Zapotec
900 1521 Mixtec
100 800 *Moche, *Mochica
-100 700 *Nasca, *Nazca
-700 100 *Paracas
500 1000 Wari, Huari
300 1100 *Tiwanaku, *Tiahuanaco
750 1375 *Lambayeque, *Sican
900 1470 *Chimu
1000 1450 *Chancay
1400 1533 Inca, Inka
-1800 -900 *Initial Period
-900 -200 *Early Horizon
-200 600 *Early Intermediate Period, Early Intermediate
600 1000 *Middle Horizon
1000 1476 *Late Intermediate Period, Late Intermediate
1476 1534 *Late Horizon
-1500 1492 *Pre-Columbian, *Precolumbian
-200 500 Hopewell
800 1600 Mississippian
"""

_DYNASTIES = """
-3000 -2890, -2890 -2686, -2686 -2613, -2613 -2494, -2494 -2345, -2345 -2181, -2181 -2160, -2181 -2160
-2160 -2025, -2160 -2025, -2125 -1985, -1985 -1773, -1773 -1650, -1773 -1650, -1650 -1550, -1650 -1580
-1580 -1550, -1550 -1295, -1295 -1186, -1186 -1069, -1069 -945, -945 -715, -818 -715, -727 -715
-747 -656, -664 -525, -525 -404, -404 -399, -399 -380, -380 -343, -343 -332
"""


def _years(text: str) -> Interval:
    first, last = text.split()
    return int(first), int(last)


def _read(tables: tuple[str, ...]) -> dict[str, Interval]:
    lines = [line.split(maxsplit=2) for table in tables for line in table.strip().splitlines()]
    return {name: (int(first), int(last)) for first, last, names in lines for name in names.split(", ")}


_MARKED = _read(
    (
        *(_EGYPT, _NEAR_EAST, _GREECE_AND_ROME, _MIDDLE_AGES, _EUROPE, _ISLAM, _INDIA, _CHINA),
        *(_JAPAN_AND_KOREA, _SOUTHEAST_ASIA, _AFRICA_AND_AMERICA),
    )
)

NAMES: Final = {name.removeprefix("*"): years for name, years in _MARKED.items()}
"""The years of every period, by its name."""
ALONE: Final = frozenset(name.removeprefix("*") for name in _MARKED if name.startswith("*"))
"""The names that stand for a time wherever they are written."""
DYNASTIES: Final = dict(enumerate(map(_years, _DYNASTIES.strip().replace("\n", ", ").split(", ")), 1))
"""The years of Egypt's dynasties, by number."""
