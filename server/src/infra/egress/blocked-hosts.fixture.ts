const loopback =
  '127.0.0.1 127.0.0.1. 127.1 0 0x7f.1 2130706433 017700000001 ①②⑦.0.0.1 [::1] [::] localhost a.localhost LOCALHOST'
const v4InV6 = '[::ffff:127.0.0.1] [::ffff:a9fe:a9fe] [64:ff9b::a9fe:a9fe] [64:ff9b:1::1] [2002:7f00:1::]'
const v6 = '[fe80::1] [febf::1] [fec0::1] [fd00:ec2::254] [fc00::1] [5f00::1] [100::1]'
const v4 = '10.0.0.1 172.16.0.1 192.168.1.1 100.64.0.1 192.0.0.192 198.18.0.1 224.0.0.1 255.255.255.255'
const metadata = '169.254.169.254 169.254.170.2 100.100.100.200 168.63.129.16 metadata.google.internal'

/** Every host of guarantees section 4 that leads inside, in the spellings attackers use. */
export const blockedHosts = [loopback, v4InV6, v6, v4, metadata].flatMap((list) => list.split(' '))
