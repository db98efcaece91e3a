import type {
  IExecuteSingleFunctions,
  IHttpRequestOptions,
  INodeProperties,
  INodePropertyRouting,
  INodeType,
  INodeTypeDescription,
  NodeConnectionType,
} from 'n8n-workflow'

// Written out, because an import of the value would be a dependency that has to be there when the node is tested.
const main: NodeConnectionType[] = ['main']

/** A node that runs twice in one execution, or whose request is repeated, makes one post for each item and no second one. */
const idempotencyKey = '={{$workflow.id}}-{{$execution.id}}-{{$nodeId}}-{{$runIndex}}-{{$itemIndex}}'

const creates = ['createText', 'createPhotos', 'createVideo']
const withFiles = ['createPhotos', 'createVideo']
const withPostId = ['get', 'retry', 'reschedule']

/** The response has what was asked for in `data`. */
const output: INodePropertyRouting['output'] = { postReceive: [{ type: 'rootProperty', properties: { property: 'data' } }] }

function post(url: string, body?: Record<string, string>): INodePropertyRouting {
  return {
    request: { method: 'POST', url, ...(body && { body }), headers: { 'Idempotency-Key': '={{$parameter["idempotencyKey"]}}' } },
    output,
  }
}

/** Texts with commas between them, as a list in the body. */
function listInBody(property: string): INodePropertyRouting {
  const value = '={{ $value.split(",").map((each) => each.trim()).filter((each) => each !== "") }}'
  return { send: { type: 'body', property, value } }
}

function inBody(property: string): INodePropertyRouting {
  return { send: { type: 'body', property } }
}

function showFor(resource: string, operation: readonly string[]): INodeProperties['displayOptions'] {
  return { show: { resource: [resource], operation: [...operation] } }
}

/** Sends the binary field of the item as a form. */
async function sendFile(this: IExecuteSingleFunctions, request: IHttpRequestOptions): Promise<IHttpRequestOptions> {
  const field = String(this.getNodeParameter('binaryPropertyName'))
  const { fileName, mimeType } = this.helpers.assertBinaryData(field)
  const content = await this.helpers.getBinaryDataBuffer(field)
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(content)], { type: mimeType }), fileName ?? 'file')
  return { ...request, body: form }
}

export class Carillon implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Carillon',
    name: 'carillon',
    icon: { light: 'file:carillon.svg', dark: 'file:carillon.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Publish posts to social accounts, and see what became of them',
    defaults: { name: 'Carillon' },
    usableAsTool: true,
    inputs: main,
    outputs: main,
    credentials: [{ name: 'carillonApi', required: true }],
    requestDefaults: { baseURL: '={{$credentials.baseUrl}}', headers: { Accept: 'application/json' } },
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        default: 'post',
        options: [
          { name: 'Media', value: 'media' },
          { name: 'Post', value: 'post' },
        ],
      },
      {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        default: 'createText',
        displayOptions: { show: { resource: ['post'] } },
        options: [
          {
            name: 'Check',
            value: 'validate',
            action: 'Check a post without publishing it',
            description: 'Say what the platforms would refuse. Nothing is published.',
            routing: { request: { method: 'POST', url: '/content/validate' }, output },
          },
          {
            name: 'Create Photos',
            value: 'createPhotos',
            action: 'Publish or schedule photos',
            description: 'Publish photos now or at a time',
            routing: post('/content/photos'),
          },
          {
            name: 'Create Text',
            value: 'createText',
            action: 'Publish or schedule a text',
            description: 'Publish a text now or at a time',
            routing: post('/content/text'),
          },
          {
            name: 'Create Video',
            value: 'createVideo',
            action: 'Publish or schedule a video',
            description: 'Publish a video now or at a time',
            routing: post('/content/video'),
          },
          {
            name: 'Get',
            value: 'get',
            action: 'Get a post',
            description: 'Get a post with the result of every account',
            routing: { request: { method: 'GET', url: '=/content/{{$parameter["postId"]}}' }, output },
          },
          {
            name: 'Get Many',
            value: 'getAll',
            action: 'Get many posts',
            description: 'Get the newest posts',
            routing: {
              request: { method: 'GET', url: '/content' },
              output: { postReceive: [{ type: 'rootProperty', properties: { property: 'data.data' } }] },
            },
          },
          {
            name: 'Reschedule',
            value: 'reschedule',
            action: 'Give a scheduled post another time',
            description: 'Give a scheduled post another time',
            routing: post('=/content/{{$parameter["postId"]}}/reschedule'),
          },
          {
            name: 'Retry',
            value: 'retry',
            action: 'Send failed accounts of a post again',
            description: 'Send the accounts of a post again that failed. An unconfirmed result is never sent again.',
            routing: post('=/content/{{$parameter["postId"]}}/retry', {}),
          },
        ],
      },
      {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        default: 'upload',
        displayOptions: { show: { resource: ['media'] } },
        options: [
          {
            name: 'Upload',
            value: 'upload',
            action: 'Upload a file',
            description: 'Upload a file to the media library. Its ID can be used in posts.',
            routing: { ...post('/media/upload'), send: { preSend: [sendFile] } },
          },
        ],
      },
      {
        displayName: 'Type',
        name: 'type',
        type: 'options',
        default: 'text',
        options: [
          { name: 'Photo', value: 'photo' },
          { name: 'Text', value: 'text' },
          { name: 'Video', value: 'video' },
        ],
        displayOptions: showFor('post', ['validate']),
        routing: inBody('type'),
      },
      {
        displayName: 'Account Names or IDs',
        name: 'connections',
        type: 'multiOptions',
        required: true,
        default: [],
        description:
          'The accounts to publish to. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
        displayOptions: showFor('post', [...creates, 'validate']),
        typeOptions: {
          loadOptions: {
            routing: {
              request: { method: 'GET', url: '=/workspaces/{{$credentials.workspaceId}}/connections' },
              output: {
                postReceive: [
                  { type: 'rootProperty', properties: { property: 'data' } },
                  {
                    type: 'setKeyValue',
                    properties: {
                      name: '={{$responseItem.displayName}} ({{$responseItem.platform}})',
                      value: '={{$responseItem.slug}}',
                    },
                  },
                  { type: 'sort', properties: { key: 'name' } },
                ],
              },
            },
          },
        },
        routing: inBody('connections'),
      },
      {
        displayName: 'Text',
        name: 'text',
        type: 'string',
        typeOptions: { rows: 4 },
        default: '',
        displayOptions: showFor('post', [...creates, 'validate']),
        routing: inBody('text'),
      },
      {
        displayName: 'Files',
        name: 'medias',
        type: 'string',
        required: true,
        default: '',
        placeholder: '6737a1f09b1e8a0012ab3501, https://example.com/tower.jpg',
        description: 'IDs from the media library or public URLs, with commas between them',
        displayOptions: showFor('post', withFiles),
        routing: listInBody('medias'),
      },
      {
        displayName: 'Post ID',
        name: 'postId',
        type: 'string',
        required: true,
        default: '',
        description: 'The uploadId that creating the post returned',
        displayOptions: showFor('post', withPostId),
      },
      {
        displayName: 'Time',
        name: 'scheduledAt',
        type: 'dateTime',
        required: true,
        default: '',
        displayOptions: showFor('post', ['reschedule']),
        routing: inBody('scheduledAt'),
      },
      {
        displayName: 'Limit',
        name: 'limit',
        type: 'number',
        typeOptions: { minValue: 1, maxValue: 100 },
        default: 50,
        description: 'Max number of results to return',
        displayOptions: showFor('post', ['getAll']),
        routing: { request: { qs: { limit: '={{$value}}' } } },
      },
      {
        displayName: 'Filters',
        name: 'filters',
        type: 'collection',
        placeholder: 'Add Filter',
        default: {},
        displayOptions: showFor('post', ['getAll']),
        options: [
          {
            displayName: 'Search',
            name: 'search',
            type: 'string',
            default: '',
            description: 'Words in the text',
            routing: { request: { qs: { search: '={{$value}}' } } },
          },
          {
            displayName: 'Status',
            name: 'status',
            type: 'options',
            default: 'failed',
            options: ['completed', 'draft', 'failed', 'partial_failure', 'publishing', 'queued', 'scheduled'].map((value) => ({
              name: value.charAt(0).toUpperCase() + value.slice(1).replace('_f', ' F'),
              value,
            })),
            routing: { request: { qs: { status: '={{$value}}' } } },
          },
        ],
      },
      {
        displayName: 'Input Binary Field',
        name: 'binaryPropertyName',
        type: 'string',
        required: true,
        default: 'data',
        hint: 'The name of the input binary field that has the file',
        displayOptions: showFor('media', ['upload']),
      },
      {
        displayName: 'Additional Fields',
        name: 'additionalFields',
        type: 'collection',
        placeholder: 'Add Field',
        default: {},
        displayOptions: showFor('post', creates),
        options: [
          {
            displayName: 'Made with AI',
            name: 'aiGenerated',
            type: 'boolean',
            default: false,
            description: 'Whether to label the post as made with AI on the platforms that have such a label',
            routing: inBody('aiGenerated'),
          },
          {
            displayName: 'Queue',
            name: 'queue',
            type: 'string',
            default: 'default',
            description: 'The ID of a queue, or default, whose next free slot the post gets instead of a time',
            routing: inBody('queue'),
          },
          {
            displayName: 'Save as Draft',
            name: 'saveDraft',
            type: 'boolean',
            default: false,
            description: 'Whether to publish nothing and keep the post as a draft',
            routing: inBody('saveDraft'),
          },
          {
            displayName: 'Submit for Approval',
            name: 'submit',
            type: 'boolean',
            default: false,
            description: 'Whether a person has to approve the post before it is published',
            routing: inBody('submit'),
          },
          {
            displayName: 'Time',
            name: 'scheduledAt',
            type: 'dateTime',
            default: '',
            description: 'When to publish. Without it, the post is published at once.',
            routing: inBody('scheduledAt'),
          },
          {
            displayName: 'Time Zone',
            name: 'timezone',
            type: 'string',
            default: '',
            placeholder: 'Europe/Berlin',
            description: 'The IANA time zone of a time that names none',
            routing: inBody('timezone'),
          },
          { displayName: 'Title', name: 'title', type: 'string', default: '', routing: inBody('title') },
        ],
      },
      {
        displayName: 'Idempotency Key',
        name: 'idempotencyKey',
        type: 'string',
        default: idempotencyKey,
        description:
          'A request that is repeated with the same key makes no second post. Change it only if several executions are about one post.',
        displayOptions: { hide: { operation: ['get', 'getAll', 'validate'] } },
      },
    ],
  }
}
