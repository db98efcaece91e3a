import { freePorts, isFree } from '../services/free-ports.ts'

export type StackPorts = {
  api: number
  worker: number
  webhook: number
  simulator: number
  model: number
  postgres: number
  restateNode: number
  restateAdmin: number
  restateIngress: number
}

/** Chooses a port for every use: the preferred one if it is free, otherwise any free one. */
export async function choosePorts(preferred: Partial<StackPorts>): Promise<StackPorts> {
  const free = await freePorts(9)
  const choose = async (use: keyof StackPorts): Promise<number> => {
    const [port, other = 0] = [preferred[use], free.pop()]
    return port !== undefined && (await isFree(port)) ? port : other
  }
  return {
    api: await choose('api'),
    worker: await choose('worker'),
    webhook: await choose('webhook'),
    simulator: await choose('simulator'),
    model: await choose('model'),
    postgres: await choose('postgres'),
    restateNode: await choose('restateNode'),
    restateAdmin: await choose('restateAdmin'),
    restateIngress: await choose('restateIngress'),
  }
}
