import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow'

export class CarillonApi implements ICredentialType {
  name = 'carillonApi'

  displayName = 'Carillon API'

  icon = { light: 'file:../nodes/Carillon/carillon.svg', dark: 'file:../nodes/Carillon/carillon.dark.svg' } as const

  documentationUrl = 'https://github.com/carillon-dev/carillon/blob/main/docs/guides/n8n.md'

  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://carillon.example/api',
      description: 'The address of the API of your Carillon server, including /api',
    },
    { displayName: 'API Key', name: 'apiKey', type: 'string', typeOptions: { password: true }, default: '', required: true },
    {
      displayName: 'Workspace ID',
      name: 'workspaceId',
      type: 'string',
      default: '',
      required: true,
      description: 'The workspace whose accounts are used',
    },
  ]

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: {
      headers: { Authorization: '=Bearer {{$credentials.apiKey}}', 'X-Workspace-Id': '={{$credentials.workspaceId}}' },
    },
  }

  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl}}', url: '=/workspaces/{{$credentials.workspaceId}}' },
  }
}
