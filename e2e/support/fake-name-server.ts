import { readFileSync } from 'node:fs'
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'

// A server loads this file before its own code. Names in the file that a test writes resolve to the addresses there; all other names
// resolve as usual.

const system = dns.lookup

function readHosts(): Record<string, string> {
  return JSON.parse(readFileSync(process.env['E2E_HOSTS_FILE'] ?? '', 'utf8'))
}

Object.assign(dns, {
  async lookup(name: string, options: object): Promise<unknown> {
    const address = readHosts()[name]
    return address === undefined ? system(name, options) : [{ address, family: 4 }]
  },
})
syncBuiltinESMExports()
