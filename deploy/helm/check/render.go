// Renders a chart with Go's template engine and sprig, as Helm does. Helm itself is not packaged by Debian. Hooks are rendered as plain
// documents; dependencies, CRDs and --set are not supported. What "lookup" finds in the cluster is the list global.cluster of the values.
//
// Arguments: the folder of the chart. Standard input: a JSON list of complete values. Standard output: a JSON list with one entry per
// values, {"files": {path: text}} or {"error": message}.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type result struct {
	Files map[string]string `json:"files,omitempty"`
	Error string            `json:"error,omitempty"`
}

func main() {
	chart := os.Args[1]
	var all []map[string]interface{}
	check(json.NewDecoder(os.Stdin).Decode(&all))
	results := []result{}
	for _, values := range all {
		files, err := render(chart, values)
		if err != nil {
			results = append(results, result{Error: err.Error()})
		} else {
			results = append(results, result{Files: files})
		}
	}
	check(json.NewEncoder(os.Stdout).Encode(results))
}

func render(chart string, values map[string]interface{}) (map[string]string, error) {
	root := template.New("chart").Option("missingkey=zero")
	root.Funcs(functions(root, values))
	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	check(err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		check(err)
		if _, err := root.New(filepath.Base(path)).Parse(string(text)); err != nil {
			return nil, err
		}
	}
	data := map[string]interface{}{
		"Values":  values,
		"Chart":   readChart(chart),
		"Files":   chartFiles{chart},
		"Release": map[string]interface{}{"Name": "bells", "Namespace": "publishing", "Service": "Helm", "IsInstall": true},
	}
	files := map[string]string{}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var out bytes.Buffer
		if err := root.ExecuteTemplate(&out, name, data); err != nil {
			return nil, err
		}
		// A value that is missing prints this, also in Helm's own engine, which removes it.
		files[name] = strings.ReplaceAll(out.String(), "<no value>", "")
	}
	return files, nil
}

// Helm's access to other files of the chart.
type chartFiles struct{ chart string }

func (files chartFiles) Get(name string) string {
	text, err := os.ReadFile(filepath.Join(files.chart, name))
	check(err)
	return string(text)
}

// Helm gives templates the fields of Chart.yaml with a capital letter.
func readChart(chart string) map[string]interface{} {
	text, err := os.ReadFile(filepath.Join(chart, "Chart.yaml"))
	check(err)
	var fields map[string]interface{}
	check(yaml.Unmarshal(text, &fields))
	named := map[string]interface{}{}
	for key, value := range fields {
		named[strings.ToUpper(key[:1])+key[1:]] = value
	}
	return named
}

// The functions that Helm adds to sprig, and without those that it removes.
func functions(root *template.Template, values map[string]interface{}) template.FuncMap {
	all := sprig.TxtFuncMap()
	delete(all, "env")
	delete(all, "expandenv")
	all["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := root.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	all["toYaml"] = func(value interface{}) (string, error) {
		var out bytes.Buffer
		encoder := yaml.NewEncoder(&out)
		encoder.SetIndent(2)
		err := encoder.Encode(value)
		return strings.TrimSuffix(out.String(), "\n"), err
	}
	// Without a cluster, Helm finds nothing.
	all["lookup"] = func(apiVersion, kind, namespace, name string) map[string]interface{} {
		global, _ := values["global"].(map[string]interface{})
		if items, found := global["cluster"]; found {
			return map[string]interface{}{"items": items}
		}
		return map[string]interface{}{}
	}
	all["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, fmt.Errorf(message)
		}
		return value, nil
	}
	return all
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
