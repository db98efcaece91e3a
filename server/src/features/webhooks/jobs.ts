import type { Job } from '../../infra/engine/engine.ts'
import { jobFactory } from '../../infra/engine/job-factory.ts'

/** A delivery as a job names it. A job whose generation is older than the delivery's does nothing. */
export type DeliveryRef = { workspaceId: string; webhookId: string; deliveryId: string; generation: number }

/** `deliverAll` has deliveries of one webhook. */
export type WebhookJobs = { deliver: DeliveryRef; deliverAll: DeliveryRef[] }

export const webhooksService = 'webhooks'

const job = jobFactory<WebhookJobs>(webhooksService)

export const deliverJob = (ref: DeliveryRef, delayMs: number): Job => job('deliver', ref, { delayMs })

export const deliverAllJob = (refs: DeliveryRef[]): Job => job('deliverAll', refs)

/** Enqueuing the same attempt twice makes one job. */
export function jobKey({ deliveryId, generation }: DeliveryRef): string {
  return `${deliveryId}:${generation}`
}
