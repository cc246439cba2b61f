-- MariaDB dump 10.19  Distrib 10.11.13-MariaDB, for debian-linux-gnu (x86_64)
--
-- Host: localhost    Database: toywiki
-- ------------------------------------------------------
-- Server version	10.11.13-MariaDB-log

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET NAMES utf8mb4 */;

--
-- Table structure for table `linktarget`
--

DROP TABLE IF EXISTS `linktarget`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `linktarget` (
  `lt_id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `lt_namespace` int(11) NOT NULL,
  `lt_title` varbinary(255) NOT NULL,
  PRIMARY KEY (`lt_id`),
  UNIQUE KEY `lt_namespace_title` (`lt_namespace`,`lt_title`)
) ENGINE=InnoDB DEFAULT CHARSET=binary;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `linktarget`
--

/*!40000 ALTER TABLE `linktarget` DISABLE KEYS */;
INSERT INTO `linktarget` VALUES (101,0,'Venice'),(102,0,'Canaletto'),(103,0,'Paris'),(104,0,'Paris_(mythology)'),(105,0,'Helen_of_Troy'),(106,0,'France'),(107,0,'Gondola'),(108,0,'Venezia'),(109,0,'Troy'),(110,0,'Red_link'),(111,14,'Italy'),(4294967301,0,'Back\\slash),(\'x'),(112,10,'Venice');
/*!40000 ALTER TABLE `linktarget` ENABLE KEYS */;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;

-- Dump completed on 2025-01-01  0:00:00
