{{- define "reeve.name" -}}
{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "reeve.labels" -}}
{{ include "reeve.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "reeve.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "reeve.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "reeve.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "reeve.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* A connection string as a file, so that it is in no list of processes and no description of a pod. */}}
{{- define "reeve.databaseVolume" -}}
- name: database
  secret:
    secretName: {{ .root.Values.database.secret }}
    defaultMode: 0440
    items:
      - key: {{ .key }}
        path: url
{{- end }}

{{- define "reeve.databaseMount" -}}
- name: database
  mountPath: /run/reeve
  readOnly: true
{{- end }}
