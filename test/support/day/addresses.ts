/** Addresses from which readers come, and the country of each, written down by hand. */

/** Universities, broadcasters, name servers and telephone companies: country, address, whose it is. */
const PUBLIC = `
US 8.8.8.8 Google Public DNS
US 208.67.222.222 OpenDNS
US 18.9.22.69 MIT
US 128.112.128.15 Princeton University
US 171.67.215.200 Stanford University
GB 212.58.244.70 BBC
GB 129.67.242.154 University of Oxford
GB 131.111.150.25 University of Cambridge
DE 129.187.254.228 Leibniz-Rechenzentrum
DE 193.99.144.80 heise online
FR 80.67.169.12 French Data Network
FR 212.27.40.240 Free
ES 80.58.61.250 Telefónica
ES 147.96.1.15 Universidad Complutense
IT 151.100.101.44 Sapienza
IT 137.204.24.143 Università di Bologna
PT 193.136.164.1 FCCN
NL 194.109.6.66 XS4ALL
NL 145.100.1.1 SURF
BE 134.58.64.12 KU Leuven
CH 129.132.98.12 ETH Zürich
AT 131.130.70.8 Universität Wien
SE 130.237.28.40 KTH
NO 129.240.118.130 Universitetet i Oslo
DK 130.225.127.1 DeiC
FI 128.214.222.24 University of Helsinki
FI 193.166.3.2 FUNET
IS 130.208.165.186 University of Iceland
IE 134.226.1.1 Trinity College Dublin
PL 149.156.96.9 AGH Kraków
CZ 193.17.47.1 CZ.NIC
CZ 147.32.1.20 ČVUT
SK 147.175.1.11 STU Bratislava
HU 152.66.115.1 BME
RO 141.85.241.1 Politehnica București
BG 62.44.96.1 Sofia University
GR 147.102.222.210 NTUA
TR 144.122.145.153 METU
RU 77.88.8.8 Yandex
RU 188.44.50.103 Moscow State University
IL 132.66.1.1 Tel Aviv University
ZA 137.158.155.1 University of Cape Town
ZA 146.141.1.1 University of the Witwatersrand
KE 41.90.1.1 Safaricom
NG 105.112.0.1 Airtel Nigeria
GH 154.160.1.1 MTN Ghana
TZ 41.59.1.1 TTCL
UG 137.63.128.1 RENU
ET 213.55.96.148 Ethio Telecom
MA 41.248.0.1 Maroc Telecom
DZ 41.96.0.1 Algérie Télécom
TN 41.224.0.1 Tunisie Télécom
SN 41.82.0.1 Sonatel
IN 14.139.45.1 National Knowledge Network
IN 117.192.0.1 BSNL
PK 111.68.96.1 PERN
BD 114.130.54.1 BTCL
LK 192.248.1.161 LEARN
NP 202.70.64.5 Nepal Telecom
CN 166.111.8.28 Tsinghua University
CN 162.105.131.160 Peking University
HK 147.8.2.58 University of Hong Kong
TW 140.112.8.116 National Taiwan University
TW 168.95.1.1 HiNet
JP 133.11.1.1 University of Tokyo
KR 147.46.80.1 Seoul National University
KR 168.126.63.1 Korea Telecom
TH 161.200.192.1 Chulalongkorn University
VN 203.162.4.190 VNPT
ID 152.118.24.1 Universitas Indonesia
MY 202.188.0.133 Telekom Malaysia
PH 202.92.128.1 University of the Philippines
SG 137.132.1.1 National University of Singapore
AU 139.130.4.5 Telstra
AU 128.250.66.1 University of Melbourne
NZ 130.216.1.1 University of Auckland
CA 142.150.1.1 University of Toronto
CA 132.206.85.18 McGill University
MX 132.248.10.44 UNAM
BR 200.160.2.3 NIC.br
BR 143.107.1.1 USP
AR 157.92.1.1 UBA
AR 200.45.191.35 Telecom Argentina
CL 146.155.1.1 PUC de Chile
CO 168.176.5.1 UNAL
PE 200.16.5.1 PUCP
VE 150.185.130.1 REACCIUN
UY 164.73.128.5 UDELAR
CU 200.55.128.1 ETECSA
IR 217.218.127.127 TIC
SA 212.26.18.3 KACST
AE 213.42.20.20 Etisalat
EG 193.227.1.1 Egyptian Universities Network
MA 196.200.131.1 MARWAN
US 2001:4860:4860::8888 Google Public DNS
US 2620:119:35::35 OpenDNS
DE 2a02:2e0:3fe:1001:302:: heise online
FR 2001:910:800::12 French Data Network
NL 2001:888:0:6::66 XS4ALL
CH 2001:620:0:ff::5c SWITCH
CZ 2001:148f:ffff::1 CZ.NIC
BR 2001:12ff:0:2::3 NIC.br
RU 2a02:6b8::feed:ff Yandex
IN 2401:4900:1:1::1 Airtel
AU 2001:44b8:1::1 Internode
ZA 2001:4200::1 TENET
`;

/** Where nobody can say in which country it is. */
const NOWHERE = [
  "10.1.2.3",
  "172.20.0.5",
  "192.168.1.77",
  "100.64.3.4",
  "169.254.10.1",
  "127.0.0.1",
  "192.0.2.44",
  "198.51.100.7",
  "::1",
  "fd12:3456:789a::1",
  "fe80::1",
  "2001:db8::7",
];

export interface ReaderAddress {
  /** As the proxy says it. */
  sent: string;
  /** As it is kept. */
  address: string;
  /** Empty where it is unknown. */
  countryCode: string;
}

const known: readonly ReaderAddress[] = PUBLIC.trim()
  .split("\n")
  .map((line) => {
    const [countryCode = "", address = ""] = line.split(" ");
    return { sent: address, address, countryCode };
  });

export const ADDRESSES: readonly ReaderAddress[] = [
  ...known,
  // Sockets of IPv6 see IPv4 in this form.
  { sent: "::ffff:41.90.1.1", address: "41.90.1.1", countryCode: "KE" },
  { sent: "::ffff:212.58.244.70", address: "212.58.244.70", countryCode: "GB" },
  { sent: "::FFFF:85F:101", address: "8.95.1.1", countryCode: "US" },
  { sent: "::ffff:10.1.2.3", address: "10.1.2.3", countryCode: "" },
  ...NOWHERE.map((address) => ({ sent: address, address, countryCode: "" })),
  // Then it is that of the peer.
  { sent: "unknown", address: "127.0.0.1", countryCode: "" },
];
