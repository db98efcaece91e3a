import { ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { testStack } from '../test-stack.ts'

const { endpoint, region, bucket: Bucket, accessKey, secretKey } = requireS3()
const client = new S3Client({
  endpoint,
  region,
  credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
  forcePathStyle: true,
})

export const bucketUrl = `${endpoint}/${Bucket}`

/** The keys that the bucket holds below a prefix, read with the owner's credentials. */
export async function listKeys(Prefix: string): Promise<string[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix }))
  return Contents.flatMap(({ Key }) => Key ?? [])
}

/** The multipart uploads below a prefix that were started and neither completed nor aborted. */
export async function listOpenUploads(Prefix: string): Promise<string[]> {
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }))
  return Uploads.flatMap(({ Key }) => Key ?? [])
}

function requireS3() {
  if (!testStack.s3) throw new Error('this stack stores its media in a folder')
  return testStack.s3
}
