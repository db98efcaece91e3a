import plc from '@did-plc/server'

// In memory: every start is an empty directory.
const server = plc.PlcServer.create({ db: plc.Database.mock(), port: Number(process.env.PLC_PORT), version: 'test' })
await server.start()
