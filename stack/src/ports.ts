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

/** A free port for every use: the wished one, and another where somebody has it already. */
export async function choosePorts(wished: Partial<StackPorts>): Promise<StackPorts> {
  const fresh = await freePorts(9)
  const choose = async (use: keyof StackPorts): Promise<number> => {
    const [wish, other = 0] = [wished[use], fresh.pop()]
    return wish !== undefined && (await isFree(wish)) ? wish : other
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
