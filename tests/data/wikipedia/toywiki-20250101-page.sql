-- MariaDB dump 10.19  Distrib 10.11.13-MariaDB, for debian-linux-gnu (x86_64)
--
-- Host: localhost    Database: toywiki
-- ------------------------------------------------------
-- Server version	10.11.13-MariaDB-log

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET NAMES utf8mb4 */;

--
-- Table structure for table `page`
--

DROP TABLE IF EXISTS `page`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `page` (
  `page_id` int(8) unsigned NOT NULL AUTO_INCREMENT,
  `page_namespace` int(11) NOT NULL DEFAULT 0,
  `page_title` varbinary(255) NOT NULL DEFAULT '',
  `page_is_redirect` tinyint(1) unsigned NOT NULL DEFAULT 0,
  `page_is_new` tinyint(1) unsigned NOT NULL DEFAULT 0,
  `page_random` double unsigned NOT NULL DEFAULT 0,
  `page_touched` binary(14) NOT NULL,
  `page_links_updated` varbinary(14) DEFAULT NULL,
  `page_latest` int(8) unsigned NOT NULL DEFAULT 0,
  `page_len` int(8) unsigned NOT NULL DEFAULT 0,
  `page_content_model` varbinary(32) DEFAULT NULL,
  `page_lang` varbinary(35) DEFAULT NULL,
  PRIMARY KEY (`page_id`),
  UNIQUE KEY `page_name_title` (`page_namespace`,`page_title`)
) ENGINE=InnoDB DEFAULT CHARSET=binary;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `page`
--

/*!40000 ALTER TABLE `page` DISABLE KEYS */;
INSERT INTO `page` VALUES (1,0,'Venice',0,0,0.178387112572,'20250101000000',NULL,10,17,'wikitext',NULL),(2,0,'Canaletto',0,0,0.278387112572,'20250101000000',NULL,20,27,'wikitext',NULL),(3,0,'Paris',0,0,0.378387112572,'20250101000000',NULL,30,37,'wikitext',NULL),(4,0,'Paris_(mythology)',0,0,0.478387112572,'20250101000000',NULL,40,47,'wikitext',NULL),(5,0,'Helen_of_Troy',0,0,0.578387112572,'20250101000000',NULL,50,57,'wikitext',NULL),(6,0,'France',0,0,0.678387112572,'20250101000000',NULL,60,67,'wikitext',NULL),(7,0,'Gondola',0,0,0.778387112572,'20250101000000',NULL,70,77,'wikitext',NULL);
INSERT INTO `page` VALUES (8,0,'O\'Brien\'s_\"Boat\"',0,0,0.878387112572,'20250101000000',NULL,80,87,'wikitext',NULL),(9,0,'Fête_galante',0,0,0.978387112572,'20250101000000',NULL,90,97,'wikitext',NULL),(10,0,'Venezia',1,0,0.1078387112572,'20250101000000',NULL,100,107,'wikitext',NULL),(11,0,'La_Serenissima',1,0,0.1178387112572,'20250101000000',NULL,110,117,'wikitext',NULL),(12,1,'Venice',0,0,0.1278387112572,'20250101000000',NULL,120,127,'wikitext',NULL),(13,0,'Nowhere',1,0,0.1378387112572,'20250101000000',NULL,130,137,'wikitext',NULL),(14,0,'Round',1,0,0.1478387112572,'20250101000000',NULL,140,147,'wikitext',NULL),(15,0,'About',1,0,0.1578387112572,'20250101000000',NULL,150,157,'wikitext',NULL),(16,14,'Italy',0,0,0.1678387112572,'20250101000000',NULL,160,167,'wikitext',NULL),(17,0,'Back\\slash),(\'x',0,0,0.1778387112572,'20250101000000',NULL,170,177,'wikitext',NULL),(18,0,'Troy',0,0,0.1878387112572,'20250101000000',NULL,180,187,'wikitext',NULL);
/*!40000 ALTER TABLE `page` ENABLE KEYS */;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;

-- Dump completed on 2025-01-01  0:00:00
