// Package reeve carries out tasks of Reeve: `reeve run -- ./worker`.
//
//	reeve.Handle("resize_image", func(t *reeve.Task) (any, error) { return map[string]int{"width": 10}, nil })
//	reeve.Run(10)
//
// An error fails the task; Final says that another attempt is of no use, and Retry asks for a wait.  One file, no dependencies.
package reeve

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
)

// Task is a task with its payload.  Context ends when the task is cancelled.
type Task struct {
	ID          string          `json:"id"`
	Type        string          `json:"type"`
	Attempt     int             `json:"attempt"`
	Payload     json.RawMessage `json:"payload"`
	Key         string          `json:"key"`
	Deadline    *float64        `json:"deadline"`
	Traceparent *string         `json:"traceparent"`
	Cancel      string          `json:"cancel"`
	Stop        bool            `json:"stop"`
	Context     context.Context `json:"-"`
}

// Final is an error after which another attempt is of no use.
type Final struct{ Message string }

func (e Final) Error() string { return e.Message }

// Retry is an error that asks for the next attempt after some seconds.
type Retry struct {
	Message string
	After   float64
}

func (e Retry) Error() string { return e.Message }

// Function does the tasks of one type.
type Function func(*Task) (any, error)

type answer struct {
	ID         string   `json:"id"`
	Result     any      `json:"result"`
	Error      *string  `json:"error,omitempty"`
	Final      bool     `json:"final,omitempty"`
	RetryAfter *float64 `json:"retry_after,omitempty"`
}

var (
	functions = map[string]Function{}
	types     []string
	out       *os.File
	lock      sync.Mutex
)

// Handle registers the function that does a task type.
func Handle(name string, function Function) {
	functions[name] = function
	types = append(types, name)
}

func write(message any) {
	line, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	lock.Lock()
	defer lock.Unlock()
	if _, err := out.Write(append(line, '\n')); err != nil {
		os.Exit(1) // nobody reads any more
	}
}

// Read reads the payload into a value, as json.Unmarshal does.
func (t *Task) Read(into any) error { return json.Unmarshal(t.Payload, into) }

// Progress reports how far the task is; any value that is JSON.
func (t *Task) Progress(value any) {
	write(map[string]any{"id": t.ID, "progress": value})
}

func work(t *Task) {
	it := answer{ID: t.ID}
	result, err := functions[t.Type](t)
	if err == nil {
		_, err = json.Marshal(result)
		it.Result = result
	}
	if err != nil {
		text := err.Error()
		it.Error = &text
		it.Result = nil
		var final Final
		var retry Retry
		if errors.As(err, &final) {
			it.Final = true
		} else if errors.As(err, &retry) {
			it.RetryAfter = &retry.After
		}
	}
	write(it)
}

// Run serves tasks, at most atOnce at the same time, until Reeve says stop.
func Run(atOnce int) {
	in, err := strconv.Atoi(os.Getenv("REEVE_READ_FD"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "start this program with: reeve run --", os.Args[0])
		os.Exit(1)
	}
	number, _ := strconv.Atoi(os.Getenv("REEVE_WRITE_FD"))
	out = os.NewFile(uintptr(number), "reeve")
	if number == 1 { // --stdio: what is printed must not get into the protocol
		os.Stdout = os.Stderr
	}
	write(map[string]any{"hello": 1, "types": types, "at_once": atOnce})
	reader := bufio.NewReaderSize(os.NewFile(uintptr(in), "reeve"), 65536)
	running := sync.Map{}
	var group sync.WaitGroup
	for {
		line, err := reader.ReadBytes('\n')
		task := &Task{}
		if err != nil || json.Unmarshal(line, task) != nil || task.Stop {
			break
		}
		if task.Cancel != "" {
			if cancel, ok := running.Load(task.Cancel); ok {
				cancel.(context.CancelFunc)()
			}
			continue
		}
		var cancel context.CancelFunc
		task.Context, cancel = context.WithCancel(context.Background())
		running.Store(task.ID, cancel)
		group.Add(1)
		go func() {
			defer group.Done()
			work(task)
			running.Delete(task.ID)
			cancel()
		}()
	}
	group.Wait()
}
