; Types and methods

(namespace_declaration name: (_) @name body: (_) @body) @namespace
(file_scoped_namespace_declaration name: (_) @name) @namespace
(class_declaration name: (identifier) @name body: (_)? @body) @class
(struct_declaration name: (identifier) @name body: (_)? @body) @struct
(interface_declaration name: (identifier) @name body: (_)? @body) @interface
(enum_declaration name: (identifier) @name body: (_)? @body) @enum
(record_declaration name: (identifier) @name body: (_)? @body) @record
(method_declaration name: (identifier) @name body: (_) @body) @method
(constructor_declaration name: (identifier) @name body: (_) @body) @method

(base_list [(identifier) (qualified_name) (generic_name)] @base)
(base_list (primary_constructor_base_type type: (_) @base))

; What is said of them

(comment) @comment

; Imports

(using_directive name: (identifier)? @alias [(qualified_name) (identifier)] @from .) @import

; Calls

(invocation_expression function: (identifier) @call)

(invocation_expression
  function: (member_access_expression
    expression: "this"
    name: (identifier) @self_call))
