import { readFileSync } from 'node:fs'
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'

// Loaded into a server before its own code: the system's name server, played by a file that a test writes. Other names are asked for as usual.

const system = dns.lookup

function hosts(): Record<string, string> {
  return JSON.parse(readFileSync(process.env['E2E_HOSTS_FILE'] ?? '', 'utf8'))
}

Object.assign(dns, {
  async lookup(name: string, options: object): Promise<unknown> {
    const address = hosts()[name]
    return address === undefined ? system(name, options) : [{ address, family: 4 }]
  },
})
syncBuiltinESMExports()
