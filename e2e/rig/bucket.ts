import { ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { world } from '../world.ts'

const { endpoint, region, bucket: Bucket, accessKey, secretKey } = storeOf()
const client = new S3Client({
  endpoint,
  region,
  credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
  forcePathStyle: true,
})

export const bucketUrl = `${endpoint}/${Bucket}`

/** What the store really holds below a prefix, asked as its owner. */
export async function keysBelow(Prefix: string): Promise<string[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix }))
  return Contents.flatMap(({ Key }) => Key ?? [])
}

/** Uploads in parts that were begun there and neither finished nor given up. */
export async function uploadsBelow(Prefix: string): Promise<string[]> {
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }))
  return Uploads.flatMap(({ Key }) => Key ?? [])
}

function storeOf() {
  if (!world.s3) throw new Error('this stack keeps its media in a folder')
  return world.s3
}
