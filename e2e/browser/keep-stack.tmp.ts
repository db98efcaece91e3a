import { writeFileSync } from 'node:fs'
import { upStack } from '@carillon/stack'
import { freePort } from '@carillon/stack/services'
import { operatorEmail } from './rig/operator-email.ts'
const api = await freePort()
const stack = await upStack({
  name: 'kept',
  fsync: false,
  mail: true,
  ports: { api },
  env: { CARILLON_PUBLIC_URL: `http://localhost:${api}`, CARILLON_OPERATORS: operatorEmail },
})
writeFileSync('/tmp/pictures-stack.json', JSON.stringify(stack.info))
console.log('up')
process.on('SIGTERM', () => void stack.stop().then(() => process.exit(0)))
setInterval(() => {}, 1000)
